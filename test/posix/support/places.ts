import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type CommandSandbox, localShell, type ShellOptions, ssh } from '../../../src/posix/index.ts'
import { isFull } from '../../support/tier.ts'
import { type Connections, noSshd, type Sshd, startSshd } from './sshd.ts'

/** Somewhere that commands run: how a sandbox there is made, and a directory for its files. */
export interface Place {
  readonly name: string
  readonly directory: string
  open(options?: ShellOptions): CommandSandbox
}

/** The shells of this machine: all in the full tier, one in the default tier. Where `sh` is dash already, once is enough. */
const shells = !isFull ? ['sh'] : isDash('/bin/sh') ? ['sh', 'bash'] : ['sh', 'bash', 'dash']

/** Describes the same of every real place: this machine's shells and, in the full tier, `sh` behind a real OpenSSH server. */
export function describePlaces(what: string, tests: (place: Place) => void, connections?: Connections): void {
  describe.each(shells)(`${what} (local %s)`, (shell) => {
    const directory = directoryOfSuite()
    tests({ name: shell, directory, open: (options) => localShell({ shell, ...options }) })
  })
  if (isFull) describeSsh(what, tests, connections)
}

/** The same of a real OpenSSH server alone. */
export function describeSsh(
  what: string,
  tests: (place: Place & { readonly sshd: () => Sshd }) => void,
  connections?: Connections,
): void {
  describe.skipIf(noSshd !== undefined)(`${what} (ssh${noSshd === undefined ? '' : `: ${noSshd}`})`, () => {
    const directory = directoryOfSuite()
    let server: Sshd | undefined
    const sshd = () => {
      if (server === undefined) throw new Error('the server has not started')
      return server
    }
    beforeAll(async () => {
      server = await startSshd(connections)
    })
    afterAll(async () => {
      await server?.stop()
    })
    tests({ name: 'ssh', directory, sshd, open: (options) => ssh({ ...sshd().options, ...options }) })
  })
}

/** A directory that is there while the suite's tests run. */
function directoryOfSuite(): string {
  const directory = join(tmpdir(), `posix-${randomUUID()}`)
  beforeAll(() => {
    mkdirSync(directory)
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function isDash(path: string): boolean {
  return realpathSync(path).endsWith('/dash')
}

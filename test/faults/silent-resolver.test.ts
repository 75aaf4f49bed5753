import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Isolation } from '../../src/index.ts'
import { program } from '../fixtures/program.ts'
import { noJails } from '../support/jail.ts'
import { byTier } from '../support/tier.ts'

/** A sandbox that asks, and a command whose own time limit ends it; without one, the sandbox's limit does. */
export type Subject = readonly [level: Isolation, shell: 'bash' | 'strands' | 'jail', limited?: string]

/** What came of a sandbox whose requests look up a name that is never answered. */
export interface Words {
  readonly asked: boolean
  readonly called: string
  readonly neighbour: string
  readonly ended: string
  readonly next: string
  readonly closed: readonly string[]
  readonly left: string
}

const address = '127.77.53.1'
const limited = 'curl -s -m 1 http://silent.example/'
const subjects = byTier<readonly Subject[]>({
  default: [['worker', 'bash', limited]],
  full: [
    ...(['worker', 'shared', 'process'] as const).flatMap((level): readonly Subject[] => [
      [level, 'bash'],
      [level, 'bash', limited],
      [level, 'strands'],
    ]),
    ...(noJails === undefined ? [['shared', 'jail', limited] as const] : []),
  ],
})

/** Has a process's resolver be at that address alone. */
const asked =
  'mount --bind "$0/resolv.conf" /etc/resolv.conf; mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf'
const alone = ['--mount', '--propagation', 'private', 'bash', '-ec']

function mayMount(): boolean {
  try {
    execFileSync(
      'unshare',
      [...alone, 'mount --bind /etc/hosts /etc/resolv.conf; test -e /etc/nsswitch.conf'],
      {
        stdio: 'ignore',
      },
    )
    return true
  } catch {
    return false // Not root, a container that may not mount, or no such program.
  }
}

/** How the request ends whose time is limited by itself or by its sandbox. */
function endOf([, shell, command]: Subject): string {
  if (command !== undefined) return 'status 28'
  return shell === 'strands' ? 'WORKER_LOST DEADLINE_IGNORED' : 'status 124'
}

it.skipIf(!mayMount())(
  'names that a resolver never answers for hold nothing up',
  async ({ onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), 'resolver-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    writeFileSync(join(directory, 'resolv.conf'), `nameserver ${address}\noptions timeout:25 attempts:1\n`)
    writeFileSync(join(directory, 'nsswitch.conf'), 'hosts: files dns\n')
    const line = `${asked}; exec "$@"`
    const child = [process.execPath, program('test/faults/children/silent-resolver.ts')]
    const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
      (resolve) =>
        execFile(
          'unshare',
          [...alone, line, directory, ...child, address, JSON.stringify(subjects)],
          { timeout: 60_000 },
          (error, stdout, stderr) => resolve({ code: error?.signal, stdout, stderr }),
        ),
    )
    expect([stderr, code]).toEqual(['', 'SIGTERM'])
    expect(JSON.parse(stdout)).toEqual(
      subjects.map((subject) => ({
        asked: true,
        called: 'TIMEOUT',
        neighbour: 'status 0 neighbour',
        ended: endOf(subject),
        next: 'status 0 next',
        closed: ['done', 'CLOSED'],
        left: 'WORKER_LOST HOST_CLOSED',
      })),
    )
  },
)

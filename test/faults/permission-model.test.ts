import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { program } from '../fixtures/program.ts'
import { noJails } from '../support/jail.ts'
import { leftSocket } from '../support/left-socket.ts'
import { isFull } from '../support/tier.ts'

const major = Number(process.versions.node.split('.')[0])
const model = major === 20 ? '--experimental-permission' : '--permission'
const refused = 'WORKER_LOST WORKER_FAILED'

/** What openings come to with these permissions, by isolation level and shell. */
interface Permissions {
  readonly flags: readonly string[]
  /** Default: everywhere. */
  readonly writes?: readonly string[]
  readonly words: Readonly<Record<string, string>>
}

const none: Permissions = {
  flags: [],
  words: {
    'worker bash': `${refused} --allow-worker`,
    'process bash': `${refused} --allow-child-process`,
    'shared jail': `${refused} --allow-child-process`,
  },
}

const unwritable: Permissions = {
  flags: ['child-process'],
  writes: [],
  // Without jails no file is written.
  words: noJails === undefined ? { 'process bash': `${refused} --allow-fs-write` } : {},
}

const some: readonly Permissions[] = [
  {
    flags: ['worker'],
    words: {
      'worker bash': 'open',
      'worker strands': 'ENGINE_UNAVAILABLE --allow-addons',
      'process strands': `${refused} --allow-child-process`,
      'shared jail': `${refused} --allow-child-process`,
    },
  },
  {
    flags: ['child-process'],
    // Later versions hand their permissions to child processes.
    words: { 'process bash': major === 20 ? 'open' : `${refused} --allow-worker` },
  },
  {
    flags: ['worker', 'addons', 'child-process'],
    words: {
      'worker strands': 'open',
      'shared bash': 'open',
      'shared jail': 'open',
      'process strands': 'open',
      'process bash': 'open',
    },
  },
]

describe.concurrent("under Node's permission model", () => {
  it.each(isFull ? [none, unwritable, ...some] : [none, unwritable])(
    'with the flags $flags, openings work, or name the flag that is missing',
    async ({ flags, writes = ['fs-write=*'], words }) => {
      const wanted = Object.entries(words).filter(
        ([subject]) => !subject.endsWith('jail') || noJails === undefined,
      )
      const subjects = wanted.map(([subject]) => subject.split(' '))
      const allowed = ['fs-read=*', ...writes, ...flags].map((flag) => `--allow-${flag}`)
      const child = program('test/faults/children/permissions.ts')
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [model, '--no-warnings', ...allowed, child, JSON.stringify(subjects)],
        { timeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } },
      )
      expect([stderr, JSON.parse(stdout)]).toEqual(['', wanted.map(([, word]) => word)])
    },
  )

  it('what a killed process has left stays where nothing may be written, and ends no process', async ({
    onTestFinished,
  }) => {
    const parent = await mkdtemp(join(tmpdir(), 'left-'))
    onTestFinished(() => rm(parent, { recursive: true }))
    await leftSocket(parent)
    const child = program('test/faults/children/left-sockets.ts')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [model, '--no-warnings', '--allow-fs-read=*', child, parent],
      { timeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } },
    )
    expect(stdout).toBe('ERR_ACCESS_DENIED\n')
  })

  it('the package can be loaded where files of the system may not be read', async () => {
    const packages = `${process.cwd()}/*`
    const child = program('test/faults/children/permissions.ts')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [model, '--no-warnings', `--allow-fs-read=${packages}`, child, '[]'],
      { timeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } },
    )
    expect(stdout).toBe('[]\n')
  })
})

import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startRedis } from '../cluster/redis-process.ts'
import { program } from '../fixtures/program.ts'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'

const loader = fileURLToPath(new URL('../fixtures/vm-context.mjs', import.meta.url))
const work = program('test/faults/children/other-realm.ts')
const services = program('test/faults/children/other-realm-services.ts')

/** What every sandbox does: see `children/other-realm.ts`. */
const facts = (sync: string) => [
  ...['a', 'b\n', null, [99], 'PATH_NOT_FOUND', 'TIMEOUT', 'ABORTED', 'd'],
  ...[['/work/b'], 'INVALID_CONFIG', sync],
]
const outcomes = {
  ...{ 'worker strands': facts('e\n'), 'worker bash': facts('e\n') },
  ...{ 'shared strands': facts('e\n'), 'shared bash': facts('e\n') },
  ...{ 'process strands': facts('UNSUPPORTED'), 'process bash': facts('UNSUPPORTED') },
}

const ways = [
  {
    name: 'a context of its own, with frozen intrinsics',
    args: (child: string) => [loader, child, 'frozen'],
  },
  { name: 'a context of its own', args: (child: string) => [loader, child] },
  { name: 'a process with frozen intrinsics', args: (child: string) => ['--frozen-intrinsics', child] },
]

async function run(args: readonly string[]): Promise<unknown> {
  const options = { timeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } }
  const flags = ['--no-warnings', '--experimental-vm-modules']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...args], options)
  return JSON.parse(stdout)
}

it.runIf(isFull).each(ways)('sandboxes work in $name', async ({ args }) => {
  expect(await run(args(work))).toEqual(outcomes)
})

const hasRedis = spawnSync('redis-server', ['--version']).status === 0

it.runIf(isFull).each(ways)('sessions are kept, served, shared and jailed in $name', async ({ args }) => {
  // The client of Redis writes to the intrinsics of its process.
  const isClustered = hasRedis && !args('').includes('--frozen-intrinsics')
  const redis = isClustered ? await startRedis() : undefined
  try {
    const given = [redis?.url ?? '', noJails === undefined ? 'jails' : 'none']
    expect(await run([...args(services), ...given])).toEqual({
      hibernated: ['kept\n', 'file\n'],
      served: ['a', 'PATH_NOT_FOUND'],
      ...(isClustered && { clustered: 'kept\n' }),
      ...(noJails === undefined && { jailed: ['TIMEOUT', 'a'] }),
    })
  } finally {
    await redis?.stop()
  }
})

import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byTier, sample } from '../../support/tier.ts'
import type { EngineChildTask } from './fixtures/engine-child.ts'
import { bundleFixture, type ChildOptions, runChild, runEngineChild } from './fixtures/run-child.ts'
import type { StackChildReport } from './fixtures/stack-child.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const KIB_OF_GIB = 1024 ** 2
const CODE = 'STRANDS_SHELL_NATIVE_STACK'
const recursion = 'f(){ f; }; f'
const tooDeep = { status: 1, stdout: '', stderr: 'strands-shell: maximum recursion depth exceeded\n' }
const alive = { status: 0, stdout: 'alive\n', stderr: '' }

let directory: string
let engineScript: string
let stackScript: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'engine-test-'))
  engineScript = await bundleFixture('engine-child', directory)
  stackScript = await bundleFixture('stack-child', directory)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

function inCache(options: ChildOptions): ChildOptions {
  return { ...options, env: { STRANDS_SHELL_RUNTIME_CACHE: join(directory, 'cache'), ...options.env } }
}

function withEngine(task: EngineChildTask, options: ChildOptions = {}) {
  return runEngineChild(engineScript, task, inCache(options))
}

async function withSteps(
  steps: readonly string[],
  options: ChildOptions = {},
  thread = 'main',
): Promise<StackChildReport> {
  const end = await runChild(stackScript, [thread, ...steps], options)
  if (end.code !== 0) throw new Error(`the child ended with ${end.code ?? end.signal}: ${end.stderr}`)
  return JSON.parse(end.stdout)
}

test('without a prepared stack a recursive function ends the process', async () => {
  const task: EngineChildTask = { commands: [recursion], loadFirst: true }
  const end = await runChild(engineScript, [JSON.stringify(task)], inCache({}))
  expect({ signal: end.signal, stdout: end.stdout }).toEqual({ signal: 'SIGSEGV', stdout: '' })
})

test('with a prepared stack a recursive function is an error, and the session lives on', async () => {
  const report = await withEngine({ commands: [recursion, 'echo alive'], shells: 3 })
  expect(report).toMatchObject({ stack: GIB, results: [tooDeep, alive], warnings: [], backtrace: 'unset' })
})

test('a build that failed does not keep the next one from its stack', async () => {
  const report = await withEngine({ commands: [recursion, 'echo alive'], failFirst: true })
  expect(report).toMatchObject({ variable: ['unset', `${GIB}`, 'unset'], results: [tooDeep, alive] })
})

const nestings: readonly (readonly [unit: string, count: number])[] = [
  ['if ', 20_000],
  ['(', 500_000],
  ['{ ', 50_000],
  // Their time is quadratic.
  ['${a:-', byTier({ default: 6000, full: 20_000 })],
]
test.each(sample(nestings, ([unit]) => (unit.startsWith('$') ? 'expansions' : 'commands')))(
  'with a prepared stack a nesting of %j, %d deep, leaves the session alive',
  async (unit, count) => {
    const report = await withEngine({ repeat: [unit, count], commands: ['echo alive'] })
    expect(report.results).toHaveLength(2)
    expect(report.results.at(-1)).toEqual(alive)
  },
)

test('child processes inherit the variable only until the first build', async () => {
  const report = await withEngine({ commands: [], shells: 2 })
  expect(report.variable).toEqual(['unset', `${GIB}`, 'unset'])
})

test('after the first build nothing is set again', async () => {
  const report = await withSteps(['prepare', 'prepare', 'built', 'built', 'prepare', 'failed'])
  expect(report.variable).toEqual([`${GIB}`, `${GIB}`, 'unset', 'unset', 'unset', 'unset'])
  expect(report).toMatchObject({ stack: GIB, warnings: [] })
})

test('a failed build leaves the variable to another under way', async () => {
  const report = await withSteps(['prepare', 'prepare', 'failed', 'failed', 'failed', 'prepare', 'built'])
  expect(report.variable).toEqual([`${GIB}`, `${GIB}`, `${GIB}`, 'unset', 'unset', `${GIB}`, 'unset'])
})

test("the user's size is used and left alone", async () => {
  const env = { RUST_MIN_STACK: `${64 * MIB}` }
  const report = await withSteps(['prepare', 'built'], { env })
  expect(report).toMatchObject({
    variable: [env.RUST_MIN_STACK, env.RUST_MIN_STACK],
    stack: 64 * MIB,
    warnings: [],
  })
  expect(await withSteps(['prepare'], { env }, 'worker')).toMatchObject({ stack: 64 * MIB, warnings: [] })
})

test('a size that the user sets after a failed build is left alone', async () => {
  const report = await withSteps(['prepare', 'failed', 'userSets', 'prepare', 'built'])
  expect(report.variable).toEqual([`${GIB}`, 'unset', '33554432', '33554432', '33554432'])
})

test('one thread carries the calls, unless the user has chosen', async () => {
  const steps = ['prepare', 'prepare', 'failed', 'built', 'prepare']
  expect((await withSteps(steps)).carriers).toEqual(['1', '1', '1', 'unset', 'unset'])
  const ofRust = { RUST_MIN_STACK: `${64 * MIB}` }
  expect((await withSteps(['prepare', 'built'], { env: ofRust })).carriers).toEqual(['1', 'unset'])
  for (const chosen of ['1', '4']) {
    const env = { TOKIO_WORKER_THREADS: chosen }
    expect((await withSteps(['prepare', 'built'], { env })).carriers).toEqual([chosen, chosen])
  }
})

test("a size that Rust cannot read counts as Rust's default", async () => {
  expect(await withSteps(['prepare'], { env: { RUST_MIN_STACK: '1g' } })).toMatchObject({
    stack: 2 * MIB,
    variable: ['1g'],
  })
})

test('a backtrace wish is taken out of the environment, and only that', async () => {
  expect((await withSteps(['prepare'], { env: { RUST_BACKTRACE: 'full' } })).backtrace).toBe('0')
  expect((await withSteps(['prepare', 'built'], { env: { RUST_BACKTRACE: '1' } })).backtrace).toBe('0')
  expect((await withSteps(['prepare'])).backtrace).toBe('unset')
})

test('a panic of the engine prints no backtrace', async () => {
  const task: EngineChildTask = { commands: ['[ a = ]'] }
  const panicked = await runChild(
    engineScript,
    [JSON.stringify(task)],
    inCache({ env: { RUST_BACKTRACE: '1' } }),
  )
  expect(panicked.stderr).toContain('panicked at')
  expect(panicked.stderr).not.toContain('stack backtrace')
})

test('in a worker thread nothing can be set, and one warning says so', async () => {
  const report = await withSteps(['prepare', 'prepare', 'failed', 'built', 'prepare'], {}, 'worker')
  expect(report).toEqual({
    variable: ['unset', 'unset', 'unset', 'unset', 'unset'],
    carriers: ['unset', 'unset', 'unset', 'unset', 'unset'],
    backtrace: 'unset',
    stack: 2 * MIB,
    warnings: [
      { code: CODE, message: expect.stringContaining(`Set RUST_MIN_STACK=${GIB} in the environment`) },
    ],
  })
})

test('once the engine is loaded it is too late, and one warning says so', async () => {
  const report = await withEngine({ commands: ['echo alive'], loadFirst: true, shells: 3 })
  expect(report).toMatchObject({
    stack: 2 * MIB,
    variable: ['unset', 'unset', 'unset'],
    results: [alive],
    warnings: [{ code: CODE, message: expect.stringContaining('was loaded before') }],
  })
  expect(report.warnings).toHaveLength(1)
})

test.each([
  { limit: 60 + availableParallelism(), stack: GIB },
  { limit: 30 + Math.ceil(availableParallelism() / 4), stack: 256 * MIB },
  { limit: 4, stack: 16 * MIB },
])('under ulimit -v of $limit GiB a stack of $stack bytes works', async ({ limit, stack }) => {
  const before = `ulimit -v ${limit * KIB_OF_GIB}`
  const report = await withEngine({ commands: [recursion, 'echo alive'], shells: 4 }, { before })
  expect(report).toMatchObject({ stack, results: [tooDeep, alive] })
  const warning = { code: CODE, message: expect.stringContaining(`${stack / MIB} MiB instead of 1024`) }
  expect(report.warnings).toEqual(stack === GIB ? [] : [warning])
})

test('a limit on data size (ulimit -d) counts too', async () => {
  const before = `ulimit -d ${4 * KIB_OF_GIB}`
  const report = await withEngine({ commands: [recursion, 'echo alive'], shells: 2 }, { before })
  expect(report).toMatchObject({ stack: 16 * MIB, results: [tooDeep, alive], warnings: [{ code: CODE }] })
})

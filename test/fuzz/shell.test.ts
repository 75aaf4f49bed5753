import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { type ExecutionResult, ShellHost, type StrandsShellSandbox } from '../../src/index.ts'
import { until, within } from '../faults/helpers.ts'
import { cellPids } from '../places/cells/cell-pids.ts'
import { ofCell } from '../places/cells/helpers.ts'
import { outcomeOf } from './support/documented.ts'
import { fuzz } from './support/fuzz.ts'
import { RESULT_KEYS } from './support/result-keys.ts'
import { shellScript } from './support/scripts.ts'

const host = new ShellHost({
  isolation: 'process',
  sandboxesPerCell: 1,
  maxCells: 3,
  network: 'allowlist',
  maxCellMemory: 768 * 2 ** 20,
  cellBackoff: 0.1,
})
let neighbour: StrandsShellSandbox
let sandbox: StrandsShellSandbox
/** Cases that the session has run. */
let cases = 0

beforeAll(async () => {
  neighbour = await host.open(ofCell('neighbour'))
  await neighbour.writeText('/home/lash/own', 'of the neighbour\n')
  await neighbour.execute('secret=neighbour')
})

afterAll(async () => {
  await host.close()
  await until(() => cellPids().length === 0)
})

fuzz({
  target: 'shell',
  title: 'after any script the session answers, its state is its own, and a loss is told once',
  cases: 300,
  input: shellScript,
  holds: async (script) => {
    // A session that every case changes would soon be of no use to the next.
    if (cases++ % 20 === 0) await refresh()
    const { generation } = sandbox
    const end = await within(
      60,
      outcomeOf(() => sandbox.execute(script)),
    )
    if ('value' in end) expectResult(end.value)
    else if (lost(end.error.code)) await expectFresh(generation + 1)
    else expect(end.error.code).toBe('INVALID_CONFIG')
    await expectUsable()
    expect(await neighbour.execute('echo "$secret"; cat own; ls')).toMatchObject({
      exitCode: 0,
      stdout: 'neighbour\nof the neighbour\nown\n',
      stderr: '',
    })
    expect(neighbour.generation).toBe(1)
  },
})

/** A sandbox in which nothing has happened. */
async function refresh(): Promise<void> {
  await sandbox?.close()
  sandbox = await host.open({ ...ofCell('scripts'), timeout: 0.4 })
  expect(await sandbox.execute('echo well')).toMatchObject({ exitCode: 0, stdout: 'well\n', stderr: '' })
}

function lost(code: string): boolean {
  return code === 'WORKER_LOST' || code === 'MEMORY_LIMIT'
}

function expectResult(result: ExecutionResult): void {
  const { exitCode, stdout, stderr } = result
  expect(Object.keys(result)).toEqual(RESULT_KEYS)
  expect(Number.isInteger(exitCode) && exitCode >= 0 && exitCode <= 255).toBe(true)
  for (const text of [stdout, stderr]) {
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toContain('of the neighbour')
  }
}

/** The next session is a fresh one, and says nothing of the loss any more. */
async function expectFresh(generation: number): Promise<void> {
  expect(await within(60, sandbox.execute('echo back'))).toMatchObject({ exitCode: 0, stdout: 'back\n' })
  expect(sandbox.generation).toBe(generation)
  cases = 1
}

/** Calls work, whatever the script has made of the session; what it has destroyed is told as such. */
async function expectUsable(): Promise<void> {
  const { generation } = sandbox
  const next = await within(
    60,
    outcomeOf(() => sandbox.execute(':')),
  )
  if ('value' in next) expectResult(next.value)
  else if (lost(next.error.code)) await expectFresh(generation + 1)
  const written = await within(
    60,
    outcomeOf(() => sandbox.writeText('/home/lash/probe', 'probe')),
  )
  if ('value' in written) expect(await sandbox.readText('/home/lash/probe')).toBe('probe')
  else expect(written.error.code).toMatch(/^(PATH_NOT_FOUND|PERMISSION_DENIED|IO_ERROR|LIMIT_EXCEEDED)$/)
}

const word = fc.stringMatching(/^[ -~]{0,12}$/).map((text) => `'${text.replaceAll("'", '')}'`)
const line = fc
  .tuple(fc.constantFrom('echo', 'printf %s', ':', 'a=1 true'), word)
  .map((parts) => parts.join(' '))

let endings = 0

fuzz({
  target: 'shell',
  title: 'the exit code is the one that the script gave',
  cases: 50,
  input: fc.tuple(
    fc.array(line, { maxLength: 4 }),
    fc.nat(1000),
    fc.constantFrom('exit', '( exit', 'f() { return'),
  ),
  holds: async ([lines, code, way]) => {
    if (endings++ % 20 === 0) await refresh()
    const last =
      way === 'exit' ? `exit ${code}` : way === '( exit' ? `( exit ${code} )` : `f() { return ${code}; }; f`
    const result = await within(60, sandbox.execute([...lines, last].join('\n')))
    expect(result.exitCode).toBe(code % 256)
  },
})

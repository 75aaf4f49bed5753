import { describe, expect, it, onTestFinished } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { sample } from '../support/tier.ts'
import { endOf, faultyWorker, lost, printed, protocol, suiteHost, until, within } from './helpers.ts'

/** A worker that a test leaves behind is that of the next one. */
const host = suiteHost({ isolation: 'worker', workerUrl: faultyWorker })

function hostileSandbox(): StrandsShellSandbox {
  const sandbox = new StrandsShellSandbox({ env: { HOSTILE: 'service' } }, { host })
  onTestFinished(() => sandbox.close())
  return sandbox
}

type Call = (sandbox: StrandsShellSandbox) => Promise<unknown>

const commands = [
  'number',
  'no-reply-value',
  'null',
  'text',
  'empty-object',
  'array',
  'ok-text',
  'no-value',
  'value-null',
  'value-text',
  'exit-code-text',
  'exit-code-fraction',
  'exit-code-nan',
  'exit-code-giant',
  'exit-code-bigint',
  'stdout-number',
  'stdout-object',
  'no-stderr',
  'timed-out-text',
  'no-timed-out',
  'truncated-true',
  'truncated-null',
  'truncated-empty',
  'truncated-nothing',
  'truncated-text',
  'truncated-giant',
  'duration-text',
  'duration-nan',
  'duration-negative',
  'duration-endless',
  'proto-reply',
  'proto-value',
  'error-missing',
  'error-null',
  'error-unknown-code',
  'error-proto-code',
  'error-constructor-code',
  'error-host-code',
  'error-no-message',
  'error-path-number',
  'error-limit-text',
  'error-loss-unknown',
  'sync-text',
  'sync-no-written',
  'sync-written-number',
  'sync-written-hole',
  'sync-pending-text',
  'sync-pending-no-reason',
  'sync-output-partial',
  'sync-output-exit',
  'conflicts-text',
  'conflicts-object',
  'conflicts-hole',
  'conflicts-no-host-path',
  'conflicts-path-number',
  'conflicts-kept-null',
  'conflicts-with-error',
  'conflicts-with-value',
  'comlink-throw',
  'comlink-throw-null',
  'comlink-throw-proto',
  'comlink-unknown-handler',
  'comlink-no-type',
  'comlink-proxy',
]

const marks = [
  'changes-null',
  'changes-no-bind',
  'changes-kind',
  'changes-proto-kind',
  'changes-change',
  'changes-path',
  'changes-no-mark',
  'changes-hole',
]

const reports = ['apply-null', 'apply-no-conflicts', 'apply-written', 'apply-removed', 'apply-conflicts']

const calls: readonly (readonly [title: string, call: Call])[] = [
  ...commands.map((name): readonly [string, Call] => [
    `execute: ${name}`,
    (sandbox) => sandbox.execute(name),
  ]),
  ...marks.map((since): readonly [string, Call] => [
    `changes: ${since}`,
    (sandbox) => sandbox.changes({ since }),
  ]),
  ...reports.map((name): readonly [string, Call] => [
    `applyChanges: ${name}`,
    (sandbox) => sandbox.applyChanges({ bind: `/${name}` }),
  ]),
  ['readFile: a text', (sandbox) => sandbox.readFile('value-text')],
  ['readFile: null', (sandbox) => sandbox.readFile('value-null')],
  ['readText: a text', (sandbox) => sandbox.readText('value-text')],
  ['writeFile: a value', (sandbox) => sandbox.writeFile('value-text', new Uint8Array(1))],
  ['removeFile: a value', (sandbox) => sandbox.removeFile('value-text')],
  ['removeFile: a value for a directory', (sandbox) => sandbox.removeFile('value-text', { recursive: true })],
  ['appendFile: a value', (sandbox) => sandbox.appendFile('value-text', new Uint8Array(1))],
  ['makeDirectory: a value', (sandbox) => sandbox.makeDirectory('value-text')],
  ['move: a value', (sandbox) => sandbox.move('value-text', 'to')],
  ['copy: a value', (sandbox) => sandbox.copy('value-text', 'to')],
  ['stat: a text', (sandbox) => sandbox.stat('value-text')],
  ['exists: null', (sandbox) => sandbox.exists('value-null')],
  ['listFiles: null', (sandbox) => sandbox.listFiles('value-null')],
  ['listFiles: entries of the wrong type', (sandbox) => sandbox.listFiles('entries')],
  ['listFiles: what only looks like an array', (sandbox) => sandbox.listFiles('entries-object')],
  ['listFiles: holes', (sandbox) => sandbox.listFiles('entries-hole')],
  ['listFiles: a size that is no number of bytes', (sandbox) => sandbox.listFiles('entries-size')],
  ['getEnv: a number', (sandbox) => sandbox.getEnv('value_number')],
  ['setEnv: a value', (sandbox) => sandbox.setEnv('value_number', '')],
  ['describe: a command output', (sandbox) => sandbox.describe()],
]

describe('a reply that does not have the right shape', () => {
  it.each(sample(calls, ([title]) => title.split('-')[0] ?? title))(
    'is a ProtocolError for its call, and ends the session for the others (%s)',
    async (_, call) => {
      const sandbox = hostileSandbox()
      await sandbox.open()
      const ends = [call(sandbox), sandbox.execute('silence'), sandbox.readFile('silence')].map(endOf)
      expect(await within(60, Promise.all(ends))).toEqual([
        expect.objectContaining(protocol),
        lost('PROTOCOL'),
        lost('PROTOCOL'),
      ])
      expect([sandbox.status, sandbox.generation]).toEqual(['lost', 2])
      expect(await sandbox.execute('echoed')).toEqual(printed('echoed'))
      expect([sandbox.status, sandbox.generation]).toEqual(['open', 2])
      await until(() => host.stats().workers === 1)
    },
  )

  it('to a call that nobody waits for any more is reported once, by the next call', async () => {
    const sandbox = hostileSandbox()
    await sandbox.open()
    const abort = new AbortController()
    const call = endOf(sandbox.execute('number', { signal: abort.signal }))
    abort.abort()
    expect(await call).toMatchObject({ code: 'ABORTED' })
    await until(() => sandbox.status === 'lost')
    expect(await endOf(sandbox.execute('a'))).toEqual(lost('PROTOCOL'))
    expect(await endOf(sandbox.execute('b'))).toEqual(printed('b'))
  })
})

import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type AuditEvent, auditLog } from '../../src/index.ts'
import { command } from '../audit/event.ts'
import { logPath } from '../audit/support.ts'
import { until } from '../faults/basics.ts'
import { runCli } from './run-cli.ts'
import { runHere } from './run-here.ts'

const ended = (code: number, stdout = '', stderr = '') => ({ code, signal: null, stdout, stderr })
const complaint = (text: string) => `strands-shell-runtime: ${text}\n`
const about = (at: string, more: object = {}) => ({
  ...{ time: Date.parse(at), id: undefined, sandbox: 3, labels: {}, isolation: 'process', shell: 'bash' },
  ...{ generation: 1, sequence: 1, ...more },
})
const at = (second: number) => `2026-01-31T12:00:0${second}.000Z`

const events = [
  command('echo hi', { time: Date.parse(at(0)) }),
  command('ls /no\u001b[31m\u202e', { time: Date.parse(at(1)), exitCode: 2, durationMs: 12.345 }),
  command('print(1)', { time: Date.parse(at(2)), language: 'python', error: 'TIMEOUT', exitCode: undefined }),
  {
    kind: 'file',
    ...about(at(3)),
    operation: 'write',
    path: '/tmp/a',
    bytes: 4,
    denied: false,
    durationMs: 2,
  },
  { kind: 'policy', ...about(at(4)), verdict: 'deny', call: 'command', subject: 'rm', reason: 'no rm' },
  {
    ...{
      kind: 'egress',
      ...about(at(5), { sandbox: 0, sequence: 0 }),
      cell: 'c1',
      method: 'GET',
      url: 'http://x/',
    },
    ...{ allowed: true, candidates: [{ id: 'agent-8', sandbox: 8, labels: { tenant: 'b' } }] },
  },
] as readonly AuditEvent[]

const texts = [
  `${at(0)}  agent-7  command  exit 0  1.5 ms  echo hi\n`,
  `${at(1)}  agent-7  command  exit 2  12.3 ms  ls /no\\u{1b}[31m\\u{202e}\n`,
  `${at(2)}  agent-7  command  TIMEOUT  1.5 ms  python: print(1)\n`,
  `${at(3)}  #3  file  ok  2 ms  write /tmp/a\n`,
  `${at(4)}  #3  policy  verdict=deny  call=command  subject=rm  reason=no rm\n`,
  `${at(5)}  -  egress  cell=c1  method=GET  url=http://x/  allowed=true  candidates=[{"id":"agent-8","sandbox":8,"labels":{"tenant":"b"}}]\n`,
]

/** A log of these events. */
async function logOf(told: readonly AuditEvent[] = events, file?: string): Promise<string> {
  const path = file ?? (await logPath())
  await using log = auditLog({ file: path, events: 'all' })
  for (const event of told) log.record(event)
  return path
}

describe('audit', () => {
  test('prints a line for each event, in which nothing acts on a terminal', async () => {
    expect(await runHere(['audit', await logOf()])).toEqual(ended(0, texts.join('')))
  })

  test('prints the lines as they are with --json, also those of standard input', async () => {
    const file = await logOf()
    const written = await readFile(file, 'utf8')
    expect(await runHere(['audit', file, '--json'])).toEqual(ended(0, written))
    expect(await runHere(['audit', '-', '--json'], written)).toEqual(ended(0, written))
    expect(await runHere(['audit', '-', '--kind', 'file'], written)).toEqual(ended(0, texts[3]))
  })

  test.each<[string[], number[]]>([
    [
      ['--kind', 'file', '--kind', 'policy'],
      [3, 4],
    ],
    [
      ['--id', 'agent-7'],
      [0, 1, 2],
    ],
    [['--id', 'agent-8'], [5]],
    [
      ['--label', 'tenant=a'],
      [0, 1, 2],
    ],
    [['--label', 'tenant=b'], [5]],
    [['--label', 'tenant=a', '--label', 'tenant=b'], []],
    [['--failed'], [1, 2, 4]],
    [['--failed', '--kind', 'command', '--since', '2026-01-31T12:00:02Z'], [2]],
    [
      ['--since', '2026-01-31T12:00:04Z'],
      [4, 5],
    ],
    [['--until', '2026-01-31T12:00:01+00:00'], [0]],
    [['--since', '2026-02-01'], []],
  ])('selects with %j', async (args, wanted) => {
    const stdout = wanted.map((index) => texts[index]).join('')
    expect(await runHere(['audit', await logOf(), ...args])).toEqual(ended(0, stdout))
  })

  test('always says how many lines are missing', async () => {
    const file = await logPath()
    const dropped = '{"kind":"dropped","time":"2026-01-31T12:00:00.000Z","lines":3}\n'
    await writeFile(file, dropped)
    const text = `${at(0)}  -  dropped  lines=3\n`
    expect(await runHere(['audit', file, '--id', 'x', '--failed'])).toEqual(ended(0, text))
    expect(await runHere(['audit', file, '--kind', 'command'])).toEqual(ended(0))
    expect(await runHere(['audit', file, '--kind', 'dropped'])).toEqual(ended(0, text))
  })

  test('tells damaged lines with their number, and prints the others', async () => {
    const file = await logOf()
    const lines = (await readFile(file, 'utf8')).split('\n')
    await writeFile(file, ['{"kind":"comm', lines[0], '[1]', '', lines[3], '{"kind":'].join('\n'))
    const complaints = [1, 3, 6].map((number) =>
      complaint(`${file}, line ${number}: it is no line of an audit log.`),
    )
    expect(await runHere(['audit', file])).toEqual(ended(1, `${texts[0]}${texts[3]}`, complaints.join('')))
  })

  test('reads rotated files first with --all', async () => {
    const file = await logOf(events.slice(0, 2))
    await rename(file, `${file}.2`)
    await logOf(events.slice(2, 4), file)
    await rename(file, `${file}.1`)
    await logOf(events.slice(4), file)
    await writeFile(`${file}.bak`, 'no log')
    expect(await runHere(['audit', file, '--all'])).toEqual(ended(0, texts.join('')))
    expect(await runHere(['audit', file])).toEqual(ended(0, texts.slice(4).join('')))
  })

  test.each([
    [['/no/such.log'], 2, /^strands-shell-runtime: the log cannot be read: ENOENT/],
    [['/dev/null'], 2, /"\/dev\/null" is no regular file/],
    [[], 2, /missing required argument 'file'/],
    [['-', '--follow'], 2, /--follow needs a file/],
    [['-', '--all'], 2, /--all needs a file/],
    [['a', '--kind', 'comand'], 2, /--kind: expected one of opened, .*, dropped, but got "comand"/],
    [['a', '--label', 'tenant'], 2, /--label: expected KEY=VALUE/],
    [['a', '--since', 'yesterday'], 2, /--since: expected a time such as 2026-01-31 or /],
    [['a', '--until', '2026-13-01'], 2, /--until: expected a time/],
  ] as const)('%j is refused', async (args, code, message) => {
    expect(await runHere(['audit', ...args])).toEqual({
      ...ended(code),
      stderr: expect.stringMatching(message),
    })
  })

  test('follows a log across rotation until it is interrupted', async () => {
    const file = await logPath()
    await using log = auditLog({ file, maxBytes: 1500, keep: 100 })
    const told = Array.from({ length: 60 }, (_, index) => command(`echo ${index}`))
    const wanted = told.map((_, index) => `echo ${index}\n`)
    log.record(told[0] as AuditEvent)
    await log.flush()
    let stdout = ''
    const onStart = async (kill: (signal: NodeJS.Signals) => void) => {
      await until(() => stdout.includes('echo 0')).catch(() => undefined)
      for (const event of told.slice(1)) {
        log.record(event)
        await log.flush()
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
      // A part of a line is printed when the rest has come.
      await appendFile(file, '{"kind":"closed","time":"2026-01-31T12:00:00.000Z",')
      await new Promise((resolve) => setTimeout(resolve, 500))
      await appendFile(file, '"reason":"api"}\n')
      await until(() => stdout.includes('closed')).catch(() => undefined)
      kill('SIGINT')
    }
    const end = await runCli(['audit', file, '--follow'], { onStart, onOutput: (text) => (stdout = text) })
    expect({ code: end.code, stderr: end.stderr }).toEqual({ code: 130, stderr: '' })
    expect(end.stdout.split('  ').filter((part) => part.startsWith('echo'))).toHaveLength(60)
    expect(end.stdout.match(/echo \d+\n/g)).toEqual(wanted)
    expect(end.stdout).toMatch(/ {2}- {2}closed {2}reason=api\n$/)
  })
})

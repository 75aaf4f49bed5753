import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { describeFailure, exitCodeOf, failureText } from '../../src/cli/failure.ts'
import { runProgram } from '../../src/cli/program.ts'
import { captured } from '../cli/captured.ts'
import { runCli } from '../cli/run-cli.ts'
import { within } from '../faults/helpers.ts'
import { expectShowable } from './support/documented.ts'
import { fuzz } from './support/fuzz.ts'
import { oddText } from './support/junk.ts'

const directory = mkdtempSync(join(tmpdir(), 'fuzz-cli-'))
afterAll(() => rmSync(directory, { recursive: true }))

const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '--bind': fc.constantFrom(
    `${directory}:/a`,
    `${directory}:/a:copy:ro`,
    'a:b',
    ':',
    '::::',
    `${directory}:/..`,
    '/nope/x:/w',
    `${directory}:/a:ro:ro`,
  ),
  '--env': fc.constantFrom('A=b', '=b', 'A', 'A B=c', '__proto__=x', 'A=\u001b[2J'),
  '--timeout': fc.constantFrom('1', '0', '-1', '1e9', 'NaN', '5s', '0x10', ''),
  '--allow-url': fc.constantFrom('http://localhost', 'ftp://a', 'http://u:p@a', 'http://*', ''),
  '--isolation': fc.constantFrom('shared', 'none', 'constructor', '__proto__'),
  '--network': fc.constantFrom('public', 'nothing', 'toString'),
  '--config': fc.constantFrom('/nope.toml', '/nope.json', '/tmp', '/dev/null', '\u001b[2J'),
  '--shell': fc.constantFrom('bash', 'strands', 'zsh', '__proto__', ''),
  '--cwd': fc.constantFrom('/tmp', '/nope', '', '-', '~'),
  '--concurrency': fc.constantFrom('0', '1', '10001', '1e1'),
  '--http': fc.constantFrom('-1', '65536', '80a'),
  '--max-sessions': fc.constantFrom('0', 'many'),
  '--idle-timeout': fc.constantFrom('0', 'x'),
}
const option = fc.constantFrom(...Object.keys(values)).chain((name) => {
  const value = fc.oneof({ weight: 4, arbitrary: values[name] ?? oddText }, { weight: 1, arbitrary: oddText })
  return fc.oneof(
    value.map((text) => [name, text]),
    value.map((text) => [`${name}=${text}`]),
    fc.constant([name]),
  )
})
const flag = fc
  .constantFrom('--json', '--strict', '--unordered', '--no-progress', '--no-history', '--python', '-x', '--')
  .map((text) => [text])
const words = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: option },
      flag,
      oddText.map((text) => [text]),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.flat())
const subcommand = fc.constantFrom('run', 'repl', 'batch', 'mcp', 'doctor', 'commands')
const bogus = fc.oneof(
  fc.constantFrom('--bogus', '-Z', '--timout'),
  oddText.map((text) => `--x${text}`),
)

/** How a command line ended in this process. */
async function endOf(
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string; failure: unknown }> {
  const outputs = captured()
  let failure: unknown
  const code = await runProgram(args, outputs).catch((error: unknown) => {
    failure = error
    return exitCodeOf(error)
  })
  if (failure !== undefined) await outputs.stderr.write(describeFailure(failure, false))
  return { code, ...outputs.text, failure }
}

/** One line that tells what is wrong, and no stack. */
function expectLine(stderr: string): void {
  expect(stderr).toMatch(/^strands-shell-runtime: .+\n$/)
  expectShowable(stderr.slice(0, -1), false)
  expect(stderr).not.toMatch(/unexpected failure|\n\s+at |TypeError|undefined/)
}

const isHelp = (args: readonly string[]) => args.some((word) => /^(?:-h|--help|-V|--version|help)/.test(word))

fuzz({
  target: 'cli',
  title: 'a command line that is not valid is refused with exit code 2 and one line that says why',
  cases: 250,
  input: fc
    .oneof(
      {
        weight: 4,
        arbitrary: fc.tuple(subcommand, words, bogus).map(([name, rest, wrong]) => [name, wrong, ...rest]),
      },
      { weight: 1, arbitrary: fc.tuple(oddText, words).map(([name, rest]) => [`x${name}`, ...rest]) },
      { weight: 1, arbitrary: oddText.filter((text) => text !== '').map((text) => ['doctor', text]) },
    )
    .filter((args) => !isHelp(args)),
  holds: async (args) => {
    const { code, stdout, stderr } = await within(60, endOf(args))
    expect([code, stdout]).toEqual([2, ''])
    expectLine(stderr)
  },
})

const opened = { ran: 0, refused: 0 }

fuzz({
  target: 'cli',
  title: 'what a command line asks of a sandbox is done, or refused in one line',
  cases: 30,
  input: fc
    .tuple(
      fc.array(option, { maxLength: 2 }).map((parts) => parts.flat()),
      fc.boolean(),
    )
    .filter(([args]) => !isHelp(args)),
  examples: [
    [[], true],
    [['--timeout', 'NaN'], true],
  ],
  holds: async ([options, json]) => {
    const args = ['run', ...(json ? ['--json'] : []), '--isolation', 'shared', ...options, '--', 'echo well']
    const { code, stdout, stderr, failure } = await within(60, endOf(args))
    if (failure === undefined) {
      opened.ran += 1
      expect([0, 1, 2, 124]).toContain(code)
      if (json) expect(JSON.parse(stdout)).toMatchObject({ exitCode: code })
    } else {
      opened.refused += 1
      expect([2, 125]).toContain(code)
      expectLine(stderr)
      if (stdout !== '')
        expect(JSON.parse(stdout)).toMatchObject({ exitCode: code, error: { message: failureText(failure) } })
    }
  },
  ends: () => [opened.ran, opened.refused],
})

fuzz({
  target: 'cli',
  title: 'names that nobody knows are told to be not there, in lines that can be shown',
  cases: 120,
  input: fc.array(
    oddText.filter((text) => !/^(?:-.*|[\w.:[\]{}!+]+)$/.test(text)),
    { minLength: 1, maxLength: 3 },
  ),
  holds: async (names) => {
    const { code, stdout, stderr } = await within(60, endOf(['commands', '--', ...names]))
    expect([code, stderr]).toEqual([1, ''])
    const lines = stdout.split('\n').slice(0, -1)
    expect(lines).toHaveLength(names.length)
    for (const line of lines) expectShowable(line, false)
  },
})

fuzz({
  target: 'cli',
  title: 'the program itself ends with exit code 2 and one line',
  cases: 1,
  input: fc
    .tuple(subcommand, words, bogus)
    .map(([name, rest, wrong]) =>
      [name, wrong, ...rest].map((word) => word.replaceAll('\0', '').slice(0, 1000)),
    )
    .filter((args) => !isHelp(args)),
  holds: async (args) => {
    const { code, signal, stdout, stderr } = await runCli(args)
    expect({ code, signal, stdout }).toEqual({ code: 2, signal: null, stdout: '' })
    expectLine(stderr)
  },
})

import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import { captured } from './captured.ts'
import { runCli, runShell } from './run-cli.ts'

/** What the command line says of these words, in this process. */
async function refusalOf(...args: string[]) {
  const outputs = captured()
  await expect(runProgram(args, outputs)).rejects.toMatchObject({ exitCode: 2 })
  expect(outputs.text).toEqual({ stdout: '', stderr: '' })
  return runProgram(args, outputs).catch((error: unknown) => (error instanceof Error ? error.message : error))
}

describe('a command line that is not valid', () => {
  const see = '(See: strands-shell-runtime run --help)'
  test.each([
    [['rum'], "unknown command 'rum' (Did you mean run?) (See: strands-shell-runtime --help)"],
    [['run'], `missing required argument 'command' ${see}`],
    [['run', '--timout', '3', 'ls'], `unknown option '--timout' (Did you mean --timeout?) ${see}`],
    [['run', '--bind'], `option '--bind <SRC:DST[:MODE][:ro]>' argument missing ${see}`],
    [
      ['doctor', 'x'],
      "too many arguments for 'doctor'. Expected 0 arguments but got 1. (See: strands-shell-runtime doctor --help)",
    ],
    [['run', '--cwd', '', 'ls'], '--cwd: expected a directory of the sandbox, but got nothing.'],
    [
      ['run', '--timeout', '5s', 'ls'],
      '--timeout: expected a number of seconds without a unit, such as 5 or 2.5, but got "5s".',
    ],
    [
      ['run', '--timeout', '-1', 'ls'],
      '--timeout: expected a number of seconds without a unit, such as 5 or 2.5, but got "-1".',
    ],
    [
      ['run', '--timeout', '0', 'ls'],
      '--timeout must be a number of seconds from 0.001 to 86400 (a day), but is 0 (a number). Leave it out for the default of 30 seconds.',
    ],
    [
      ['run', '--env', 'secret', 'ls'],
      '--env: expected NAME=VALUE, but there is no "=". A variable of this process is passed on as --env NAME="$NAME".',
    ],
    [
      ['run', '--env', '=x', 'ls'],
      '--env: expected NAME=VALUE, but the name is empty. A variable of this process is passed on as --env NAME="$NAME".',
    ],
    [
      ['run', '--env', '__proto__=x', 'ls'],
      '--env __proto__ is reserved: choose another name for the variable.',
    ],
    [
      ['run', '--env', '1a=x', 'ls'],
      '--env ["1a"] is not a valid variable name: use letters, digits and underscores, and begin with no digit.',
    ],
    [
      ['run', '--bind', 'a:/b/../c', 'ls'],
      'the destination of --bind "a:/b/../c" must be an absolute path inside the sandbox, without "..", but is "/b/../c" (a string). Begin it with "/".',
    ],
    [
      ['run', '--bind', '/a:/w:passthrough:ro', 'ls'],
      `the mode of --bind "/a:/w" must not be 'passthrough' for a read-only bind. Use 'direct', which shows the host directory as it is.`,
    ],
    [
      ['run', '--bind', '/nope/x:/w', 'ls'],
      `the source of --bind "/nope/x:/w": expected an existing file or directory of the host, got '/nope/x' (ENOENT). Create it first or correct the path.`,
    ],
  ])('%j is refused with what to do', async (args, message) => {
    expect(await refusalOf(...args)).toBe(message)
  })

  test('names the option of a URL, but not the URL', async () => {
    const message = await refusalOf('run', '--allow-url', 'ftp://user:secret@host', 'ls')
    expect(message).toMatch(/^--allow-url must be an http or https address prefix with a host, but /)
    expect(message).not.toContain('secret')
  })

  test('of several problems names all of them in one line', async () => {
    const message = await refusalOf('run', '--bind', 'a:/b', '--bind', 'c:/b', '--timeout', '0', 'ls')
    expect(message).toContain('the destination of --bind "c:/b" repeats that of --bind "a:/b".')
    expect(message).toContain('--timeout must be a number of seconds')
  })

  test('exits with 2 and one line on standard error', async () => {
    expect(await runCli(['run', '--bogus', 'ls'])).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: "strands-shell-runtime: unknown option '--bogus' (See: strands-shell-runtime run --help)\n",
    })
  })
})

describe('help', () => {
  const subcommands = ['run', 'repl', 'batch', 'mcp', 'commands', 'policy', 'doctor']

  test.each(subcommands)(
    'of %s has exit codes and examples, in lines of at most 100 characters',
    async (name) => {
      const outputs = captured()
      expect(await runProgram([name, '--help'], outputs)).toBe(0)
      for (const part of [`Usage: strands-shell-runtime ${name}`, 'Exit code:', 'Examples:']) {
        expect(outputs.text.stdout).toContain(part)
      }
      expect(outputs.text.stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
    },
  )

  test('of no words at all goes to standard error, with exit code 2', async () => {
    const outputs = captured()
    expect(await runProgram([], outputs)).toBe(2)
    expect(outputs.text.stdout).toBe('')
    expect(outputs.text.stderr).toMatch(/^Usage: strands-shell-runtime /)
  })

  test.each([[['--help']], [['-h']], [['help']]])(
    '%j names the subcommands and has examples',
    async (args) => {
      const outputs = captured()
      expect(await runProgram(args, outputs)).toBe(0)
      expect(outputs.text.stderr).toBe('')
      for (const part of [...subcommands, 'Examples:', "run -- 'echo hello", 'Exit codes:', 'Environment:']) {
        expect(outputs.text.stdout).toContain(part)
      }
    },
  )

  test('of run explains words, binds, the network, exit codes, and has examples', async () => {
    const outputs = captured()
    expect(await runProgram(['run', '--help'], outputs)).toBe(0)
    for (const part of ['COMMAND:', 'Binds:', 'Network:', 'Exit code:', '  124  ', '  125  ', 'Examples:']) {
      expect(outputs.text.stdout).toContain(part)
    }
    expect(outputs.text.stdout.split('\n').every((line) => line.length <= 100)).toBe(true)
  })

  test('cut short by its reader ends quietly', async () => {
    const end = await runShell('{ "$@" run --help; echo "exit $?" >&2; } | true')
    expect(end).toEqual({ code: 0, signal: null, stdout: '', stderr: 'exit 0\n' })
  })

  test('--version gives the version of the package', async () => {
    const manifest: { version: string } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    )
    const outputs = captured()
    expect(await runProgram(['--version'], outputs)).toBe(0)
    expect(outputs.text).toEqual({ stdout: `${manifest.version}\n`, stderr: '' })
  })
})

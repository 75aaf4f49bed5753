import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli, runShell } from './run-cli.ts'
import { runHere } from './run-here.ts'
import { noTerminal, Terminal } from './terminal.ts'

const ended = (code: number, stdout = '', stderr = '') => ({ code, signal: null, stdout, stderr })
const replOf = (shell: string, lines: readonly string[], ...options: string[]) =>
  runHere(['repl', '--shell', shell, ...options], lines.map((line) => `${line}\n`).join(''))
const repl = (lines: readonly string[], ...options: string[]) => replOf('strands', lines, ...options)

describe('repl without a terminal', () => {
  test('runs line after line in one session and exits as the last command did', async () => {
    expect(
      await repl([
        'cd /tmp',
        'X=1',
        'echo $X; pwd',
        'echo err >&2',
        'exit_code() { return 7; }',
        'exit_code',
      ]),
    ).toEqual(ended(7, '1\n/tmp\n', 'err\n'))
  })

  test('joins the lines of one command: loops, quotes, here-documents, line ends that go on', async () => {
    const lines = [
      'for x in 1 2',
      'do',
      'echo "$x',
      '"',
      'done',
      'cat <<E',
      'echo not run',
      'E',
      'echo a |',
      'tr a b',
      'echo c \\',
      'd',
    ]
    expect(await repl(lines)).toEqual(ended(0, '1\n\n2\n\necho not run\nb\nc d\n'))
  })

  test('says what is missing where the input ends inside a command', async () => {
    expect(await repl(['echo ran', 'if true; then'])).toEqual(
      ended(2, 'ran\n', "strands-shell: syntax error: unexpected end of file: expected 'fi' to close 'if'\n"),
    )
  })

  test('runs a last line without a line break, and reads lines that end as on Windows', async () => {
    expect(await runCli(['repl'], { stdin: 'echo ü\r\necho last' })).toEqual(ended(0, 'ü\nlast\n'))
  })

  test.each([
    [['false', 'exit', 'echo never'], 1],
    [['exit 3', 'echo never'], 3],
    [['true'], 0],
    [[], 0],
  ])('of %j ends with %i', async (lines, code) => {
    expect(await repl(lines)).toEqual(ended(code))
  })

  test('ends with 125 where the session is lost', async () => {
    const end = await repl(['find /tmp -exec [ a = ] \\;', 'echo in another session'])
    expect({
      ...end,
      stderr: end.stderr.split('\n').filter((line) => line.startsWith('strands-shell-runtime')),
    }).toEqual({
      ...ended(125),
      stderr: ['strands-shell-runtime: the engine panicked while it ran this call'],
    })
  })

  test('takes the options of run', async () => {
    const end = await repl(['pwd; echo $A', 'sleep 300'], '--cwd', '/tmp', '--env', 'A=b', '--timeout', '2')
    expect(end).toEqual(ended(124, '/tmp\nb\n', 'strands-shell: execution timeout exceeded\n'))
  })

  test('goes on to its end and says nothing when its reader goes away', async () => {
    const script =
      '{ printf "%s\\n" "printf %900000s x" "echo more" "exit 4" | "$@" repl; echo "exit $?" >&2; } | true'
    expect(await runShell(script)).toEqual(ended(0, '', 'exit 4\n'))
  })
})

describe('repl of bash, which is the standard one', () => {
  const bash = (lines: readonly string[], ...options: string[]) => replOf('bash', lines, ...options)

  test('runs line after line in one session', async () => {
    const stdin = ['cd /tmp; list=(a b)', 'f() { echo "$list $PWD"; return 7; }', 'f'].join('\n')
    expect(await runCli(['repl'], { stdin })).toEqual(ended(7, 'a /tmp\n'))
  })

  test('joins the lines of one command', async () => {
    const lines = [
      'for x in 1 2',
      'do',
      'echo "$x',
      '"',
      'done',
      'cat <<E',
      'body',
      'E',
      'if true; then',
      'echo c \\',
      'd',
      'fi',
    ]
    expect(await bash(lines)).toEqual(ended(0, '1\n\n2\n\nbody\nc d\n'))
  })

  test('says what is missing where the input ends inside a command', async () => {
    const end = await bash(['echo ran', 'if true; then'])
    expect(end).toMatchObject({
      code: 2,
      stdout: 'ran\n',
      stderr: expect.stringMatching(/^bash: .*syntax error/),
    })
  })

  test('takes its options', async () => {
    expect(
      await bash(['pwd; echo $A', 'sleep 300'], '--cwd', '/tmp', '--env', 'A=b', '--timeout', '2'),
    ).toEqual(ended(124, '/tmp\nb\n', 'bash: stopped after 2 s\n'))
  })
})

describe.skipIf(noTerminal !== undefined)(
  `repl on a terminal${noTerminal === undefined ? '' : ` (${noTerminal})`}`,
  () => {
    let state: string
    let terminal: Terminal
    const start = async (...options: string[]) => {
      terminal = await Terminal.start(['repl', '--shell', 'strands', ...options], { XDG_STATE_HOME: state })
      await terminal.until(/^~ \$$/m)
    }
    beforeEach(async () => {
      state = await mkdtemp(join(tmpdir(), 'repl-test-'))
    })
    afterEach(async () => {
      await terminal.close()
      await rm(state, { recursive: true })
    })

    test('shows the directory, edits lines, and ends with Ctrl-D', async () => {
      await start()
      await terminal.enter('cd /tmp')
      await terminal.until(/^\/tmp \$$/m)
      await terminal.type('echo abX')
      await terminal.press('BSpace', 'Home', 'C-Right', 'End')
      await terminal.enter('c')
      await terminal.until(/^abc\n\/tmp \$$/m)
      await terminal.enter('printf "no line break"; false')
      await terminal.until(/^no line break\n\/tmp \$$/m)
      await terminal.press('C-d')
      expect(await terminal.exitCode()).toBe(1)
    })

    test('Ctrl-C interrupts the command and keeps the session', async () => {
      await start('--timeout', '2')
      await terminal.enter('X=kept; cd /tmp; echo file > f')
      await terminal.until(/^\/tmp \$$/m)
      await terminal.enter('while :; do :; done')
      await terminal.until(/done$/m)
      await terminal.press('C-c')
      await terminal.until(/^\^C\n\/tmp \$$/m)
      await terminal.enter('echo $X; cat f')
      const screen = await terminal.until(/^kept\nfile\n\/tmp \$$/m)
      expect(screen).toContain('(waiting for the interrupted command to end)\n')
      await terminal.enter('exit 5')
      expect(await terminal.exitCode()).toBe(5)
    })

    test('Ctrl-C stops a command of bash at once, and keeps the session', async () => {
      await start('--shell', 'bash', '--timeout', '3000')
      await terminal.enter('X=kept; cd /tmp')
      await terminal.until(/^\/tmp \$$/m)
      await terminal.enter('while :; do :; done')
      await terminal.until(/done$/m)
      await terminal.press('C-c')
      await terminal.until(/^\^C\n\/tmp \$$/m)
      await terminal.enter('echo $X')
      await terminal.until(/^kept\n\/tmp \$$/m)
    })

    test('Ctrl-C at the prompt drops what was typed, unfinished commands included', async () => {
      await start()
      await terminal.enter('for x in 1 2')
      await terminal.until(/^>$/m)
      await terminal.type('do echo never')
      await terminal.press('C-c')
      await terminal.until(/\^C\n~ \$$/m)
      await terminal.enter('echo fresh')
      await terminal.until(/^fresh\n~ \$$/m)
      expect(await terminal.screen()).not.toMatch(/^never/m)
    })

    test('Tab completes commands and paths of the sandbox', async () => {
      await start()
      await terminal.enter('mkdir "my dir"; echo found > "my dir/file.txt"')
      await terminal.until(/^~ \$$/m)
      await terminal.type('uni')
      await terminal.press('Tab')
      await terminal.until(/^~ \$ uniq/m)
      await terminal.type('my')
      await terminal.press('Tab')
      await terminal.until(/uniq my\\ dir\/$/m)
      await terminal.press('Tab')
      await terminal.until(/file\.txt$/m)
      await terminal.press('Enter')
      await terminal.until(/^found$/m)
    })

    test('keeps the history in a file for its owner alone, for the next session', async () => {
      await start()
      await terminal.enter('echo remembered')
      await terminal.until(/^remembered\n~ \$$/m)
      await terminal.enter(' echo not kept')
      await terminal.until(/^not kept\n~ \$$/m)
      await terminal.press('C-d')
      await terminal.exitCode()
      await terminal.close()
      const file = join(state, 'strands-shell-runtime', 'history')
      expect(await readFile(file, 'utf8')).toBe('echo remembered\n')
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      await start()
      await terminal.press('Up')
      await terminal.until(/^~ \$ echo remembered$/m)
      await terminal.press('Enter')
      await terminal.until(/^remembered\n~ \$$/m)
    })

    test('goes on in a fresh session where one was lost, and says so', async () => {
      await start('--no-history')
      await terminal.enter('cd /tmp; find /tmp -exec [ a = ] \\;')
      await terminal.until(/strands-shell-runtime: .*\n\(Its files and variables are gone\..*\)\n~ \$$/m)
      await terminal.enter('echo on')
      await terminal.until(/^on\n~ \$$/m)
      await expect(stat(join(state, 'strands-shell-runtime'))).rejects.toThrow('ENOENT')
    })

    test('names what there is instead of a command that is not', async () => {
      await start()
      await terminal.enter('python3 -V')
      await terminal.until(/command not found\n\[python3 is not in this sandbox\. Instead: write/)
    })

    test('is ended by SIGTERM with 143, and leaves the terminal as it was', async () => {
      const pid = join(state, 'pid')
      const start = `sh -c 'echo $$ > ${pid}; exec "$@"' sh "$@" repl --shell strands --no-history`
      terminal = await Terminal.startShell(`${start}; echo "exit $?"; stty -a | grep -o -e "-\\?icanon"`)
      await terminal.until(/^~ \$$/m)
      process.kill(Number(await readFile(pid, 'utf8')), 'SIGTERM')
      await terminal.until(/exit 143\nicanon$/m)
    })
  },
)

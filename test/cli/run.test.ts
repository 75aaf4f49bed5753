import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentPipe } from '../support/silent-pipe.ts'
import { repository, runCli, runShell } from './run-cli.ts'
import { runHere } from './run-here.ts'

const ended = (code: number, stdout = '', stderr = '') => ({ code, signal: null, stdout, stderr })
const noProxy = { NO_PROXY: '*', no_proxy: '*' }
const complaint = (text: string) => `strands-shell-runtime: ${text}\n`

function urlOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

describe('a command', () => {
  test("writes to both streams and ends with the command's exit code", async () => {
    expect(await runCli(['run', '--', 'echo out; echo err >&2; exit 7'])).toEqual(ended(7, 'out\n', 'err\n'))
  })

  test('of several words is a program whose arguments arrive as they are', async () => {
    const words = ['printf', '%s.', 'a  b', '|', '*', "it's", '$HOME', '', '-n']
    expect(await runHere(['run', '--', ...words])).toEqual(ended(0, "a  b.|.*.it's.$HOME..-n."))
  })

  test('needs no "--" before it, and its options stay its own', async () => {
    expect(await runHere(['run', '--timeout', '9', 'echo', '-n', '--env', 'X'])).toEqual(ended(0, '--env X'))
  })

  test('is read from standard input where it is "-"', async () => {
    const stdin = 'cat <<END\nfrom stdin: ü\nEND\nfalse\n'
    expect(await runCli(['run', '-'], { stdin })).toEqual(ended(1, 'from stdin: ü\n'))
  })

  test('on standard input that is not UTF-8 is refused', async () => {
    const refusal = complaint('the command on standard input must be UTF-8 text, but is not.')
    expect(await runHere(['run', '-'], Uint8Array.of(0x65, 0xff))).toEqual(ended(2, '', refusal))
  })

  test('has no standard input and none of the variables of this process', async () => {
    const end = await runCli(['run', '--', 'cat; echo "[$SECRET]"'], { stdin: 'in', env: { SECRET: 'x' } })
    expect(end).toEqual(ended(0, '[]\n'))
  })

  test('reads what this process has on its standard input with --stdin', async () => {
    const end = await runHere(['run', '--stdin', '--', 'wc -c; exit 3'], 'aü\n')
    expect(end).toEqual(ended(3, '4\n'))
  })

  test('that is read from standard input has none of it', async () => {
    const refusal = complaint('--stdin cannot be used with "-": standard input is the command.')
    expect(await runHere(['run', '--stdin', '-'])).toEqual(ended(2, '', refusal))
  })

  test('that gives much output gives all of it to a slow reader', async () => {
    const script = '"$@" run -- "printf %900000s x" | (sleep 1; wc -c)'
    const end = await runShell(script)
    expect({ ...end, stdout: end.stdout.trim() }).toEqual(ended(0, '900000'))
  })

  test('keeps its exit code and says nothing when its reader goes away', async () => {
    const script = '{ "$@" run -- "printf %900000s x; exit 3"; echo "exit $?" >&2; } | true'
    expect(await runShell(script)).toEqual(ended(0, '', 'exit 3\n'))
  })

  test('whose output cannot be written ends with 125', async () => {
    const end = await runShell('"$@" run -- echo lost > /dev/full')
    expect(end).toEqual(
      ended(
        125,
        '',
        complaint('standard output could not be written: ENOSPC: no space left on device, write.'),
      ),
    )
  })
})

describe('a time limit', () => {
  test('ends the command with exit code 124 and keeps its output', async () => {
    const end = await runHere(['run', '--timeout', '5', '--', 'echo begun; sleep 300'])
    expect(end).toEqual(ended(124, 'begun\n', 'strands-shell: execution timeout exceeded\n'))
  })

  test('ends a command that ignores it, too', async () => {
    const bind = ['--bind', `${silentPipe()}:/silent:ro`]
    const end = await runHere(['run', ...bind, '--timeout', '0.3', '--', 'cat /silent/pipe'])
    const loss = 'The session was lost: The engine ignored its deadline of 0.3 s by more than 2 s.'
    expect(end).toEqual(ended(124, '', complaint(loss)))
  })
})

describe('options', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cli-test-'))
    await mkdir(join(directory, 'a:b'))
    await writeFile(join(directory, 'file'), 'host\n')
    await writeFile(join(directory, 'a:b', 'file'), 'colons\n')
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('--bind with copy lets the command write without the host seeing it', async () => {
    const end = await runHere([
      'run',
      '--bind',
      `${directory}:/w:copy`,
      '--',
      'echo new > /w/file; cat /w/file',
    ])
    expect(end).toEqual(ended(0, 'new\n'))
    expect(await readFile(join(directory, 'file'), 'utf8')).toBe('host\n')
  })

  test('--bind with ro refuses writes', async () => {
    const end = await runHere([
      'run',
      '--bind',
      `${directory}:/w:direct:ro`,
      '--',
      'cat /w/file; echo new > /w/file',
    ])
    expect(end).toMatchObject({ code: 1, stdout: 'host\n' })
    expect(await readFile(join(directory, 'file'), 'utf8')).toBe('host\n')
  })

  test('--bind shows what the host has by default, any number of times, colons in the source included', async () => {
    const binds = ['--bind', `${directory}:/one`, '--bind', `${directory}/a:b:/two:ro`]
    const end = await runHere(['run', ...binds, '--', 'cat /one/file /two/file'])
    expect(end).toEqual(ended(0, 'host\ncolons\n'))
  })

  test('--bind keeps what the command did on the host: appends, links, globs, permissions', async () => {
    const results = await mkdtemp(join(tmpdir(), 'cli-results-'))
    try {
      const script =
        'cd /w; for n in 1 2 3 4 5 6; do echo $n >> log; done; ln -s log link; chmod 600 log; cat *; exit 3'
      const end = await runHere(['run', '--bind', `${results}:/w`, '--', script])
      expect(end).toEqual(ended(3, '1\n2\n3\n4\n5\n6\n1\n2\n3\n4\n5\n6\n'))
      expect(await readFile(join(results, 'link'), 'utf8')).toBe('1\n2\n3\n4\n5\n6\n')
      expect((await stat(join(results, 'log'))).mode & 0o777).toBe(0o600)
    } finally {
      await rm(results, { recursive: true })
    }
  })

  test('--bind of a directory that is too large to mirror is refused, and says what to do', async () => {
    const large = await realpath(join(repository, 'node_modules'))
    const { code, stdout, stderr } = await runHere(['run', '--bind', `${large}:/w`, '--', 'echo ran'])
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toContain(`'${large}'`)
    expect(stderr).toContain("mode 'copy'")
    const bind = ['--bind', `${large}:/w:passthrough`]
    const through = await runHere(['run', ...bind, '--', 'wc -l < /w/vitest/package.json > /tmp/lines'])
    expect(through).toEqual(ended(0))
  })

  test('the output of a command whose files did not all reach the host is printed, and it ends with 125', async () => {
    const odd = await mkdtemp(join(tmpdir(), 'cli-odd-'))
    try {
      execFileSync('mkfifo', [join(odd, 'pipe')])
      const script = 'echo out; echo err >&2; echo 1 > /w/written; echo 2 > /w/pipe'
      const { code, stdout, stderr } = await runHere(['run', '--bind', `${odd}:/w`, '--', script])
      expect({ code, stdout }).toEqual({ code: 125, stdout: 'out\n' })
      expect(stderr).toMatch(/^err\nstrands-shell-runtime: .*'\/w\/pipe' \(the host has a FIFO there\)/)
      expect(await readFile(join(odd, 'written'), 'utf8')).toBe('1\n')
    } finally {
      await rm(odd, { recursive: true })
    }
  })

  test('--cwd is the directory of the session, whose traps fire', async () => {
    const script = 'trap "echo bye" EXIT; pwd'
    expect(await runHere(['run', '--bind', `${directory}:/w:ro`, '--cwd', '/w/a:b', '--', script])).toEqual(
      ended(0, '/w/a:b\nbye\n'),
    )
    const refusal = complaint('--cwd: there is no directory "/nope" in the sandbox.')
    expect(await runHere(['run', '--cwd', '/nope', '--', 'pwd'])).toEqual(ended(2, '', refusal))
  })

  test('--env sets variables literally; the last of a name wins', async () => {
    const env = ['--env', 'A=1', '--env', 'B=$A = `x`', '--env', 'A=', '--env', 'C=ü']
    expect(await runHere(['run', ...env, '--', 'echo "[$A][$B][$C]"'])).toEqual(ended(0, '[][$A = `x`][ü]\n'))
  })

  test('--allow-url lets a private address through, which is refused without it', async () => {
    const server = createServer((_request, response) => response.end('inside\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = urlOf(server)
    try {
      expect(await runHere(['run', '--', 'curl', '-s', url])).toEqual(
        ended(1, '', 'curl: access denied: 127.0.0.1\n'),
      )
      expect(await runHere(['run', '--allow-url', url, '--', 'curl', '-s', url])).toEqual(
        ended(0, 'inside\n'),
      )
    } finally {
      server.close()
    }
  })
})

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s ends the program at once with %i, and its endless command with it',
    async (signal, code) => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = urlOf(server)
      let sent = 0
      const end = runCli(['run', '--allow-url', url, '--', `curl -s ${url}; while :; do :; done`], {
        env: noProxy,
        onStart: (kill) => {
          // The request says that the command runs.
          server.once('request', (_request, response) => {
            response.end()
            sent = performance.now()
            kill(signal)
          })
        },
      })
      expect(await end).toEqual(ended(code))
      expect(performance.now() - sent).toBeLessThan(10_000)
      server.close()
    },
  )
})

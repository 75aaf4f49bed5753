import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentPipe } from '../support/silent-pipe.ts'
import { runHere } from './run-here.ts'

const ended = (code: number, stdout = '', stderr = '') => ({ code, signal: null, stdout, stderr })
const complaint = (text: string) => `strands-shell-runtime: ${text}\n`

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'settings-test-'))
  await mkdir(join(directory, 'sub'))
  await writeFile(join(directory, 'sub', 'file'), 'of the file\n')
})
afterAll(() => rm(directory, { recursive: true }))

async function config(content: object): Promise<string[]> {
  const path = join(directory, 'config.json')
  await writeFile(path, JSON.stringify(content))
  return ['--config', path]
}

describe('--config', () => {
  test('is what the sandbox is made of; options win, variables name by name', async () => {
    const content = {
      binds: [{ source: 'sub', destination: '/sub', mode: 'copy' }],
      env: { A: 'file', B: 'file' },
    }
    const words = ['--env', 'B=option', '--', 'cat /sub/file; echo $A $B; sleep 60']
    expect(await runHere(['run', ...(await config({ ...content, timeout: 1.5 })), ...words])).toEqual(
      ended(124, 'of the file\nfile option\n', 'strands-shell: execution timeout exceeded\n'),
    )
    const other = join(directory, 'other')
    await mkdir(other)
    const file = await config(content)
    expect(
      await runHere(['run', ...file, '--bind', `${other}:/other:copy`, '--', 'ls / | grep -e other -e sub']),
    ).toEqual(ended(0, 'other\n'))
  })

  test('is named where it is at fault, and the options where they are', async () => {
    const file = await config({
      binds: [{ source: 'nope', destination: '/w' }],
      credentials: [{ url: 'https://a.b/', envVar: 'UNSET_HERE' }],
    })
    expect(await runHere(['run', ...file, 'true'])).toEqual(
      ended(
        2,
        '',
        complaint(
          '--config: credentials[0].envVar names the variable UNSET_HERE, which is not set. Set it before the sandbox is opened.',
        ),
      ),
    )
    const end = await runHere(['run', ...file, '--timeout', '0', 'true'])
    expect(end.stderr).toMatch(/^strands-shell-runtime: --timeout must be a number of seconds/)
  })
})

describe('--shell', () => {
  test('bash has what bash has: its language, its programs, its home', async () => {
    const words = ['--shell', 'bash', '--env', 'A=x', '--timeout', '20', '--cwd', '/tmp']
    const command = 'list=($A b); [[ $list == x ]] && pwd; cd; pwd | awk "{ print }"'
    expect(await runHere(['run', ...words, '--', command])).toEqual(ended(0, '/tmp\n/home/user\n'))
  })

  test('bash binds: live, read-only, or a copy', async () => {
    const source = join(directory, 'bound')
    await mkdir(source)
    await writeFile(join(source, 'in'), 'host\n')
    const binds = ['', ':ro', ':copy'].flatMap((mode, index) => ['--bind', `${source}:/b${index}${mode}`])
    const command = 'cat /b1/in; echo live > /b0/out; echo copied > /b2/copy; echo no > /b1/no'
    expect(await runHere(['run', '--shell', 'bash', ...binds, '--', command])).toEqual(
      ended(1, 'host\n', 'bash: /b1/no: Read-only file system\n'),
    )
    expect((await readdir(source)).sort()).toEqual(['in', 'out'])
    const refused = await runHere(['run', '--shell', 'bash', '--bind', `${source}:/b:passthrough`, 'ls'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("'direct' or 'copy'") })
  })

  test.each(['strands', 'bash'])('%s begins with files, directories and a script', async (shell) => {
    const words = ['--shell', shell, '--writable', '/made', '--init', 'greet() { echo "hi $1"; }; cd /made']
    const files = ['--file', `${directory}/sub:/in`, '--file', `${directory}/sub/file:/one`]
    expect(
      await runHere(['run', ...words, ...files, '--', 'greet you; cat /in/file /one > out; cat out; pwd']),
    ).toEqual(ended(0, 'hi you\nof the file\nof the file\n/made\n'))
    const refusals = [
      [['--init', 'echo why; exit 4'], /--init ended with exit code 4\. Its output: why/],
      [['--file', `${directory}/gone:/in`], /--file: ".*gone" cannot be read: ENOENT/],
      [['--file', directory], /--file: expected SRC:DST with an absolute DST/],
      [['--writable', 'made'], /--writable must be an absolute path/],
    ] as const
    for (const [option, message] of refusals) {
      const { code, stderr } = await runHere(['run', '--shell', shell, ...option, '--', 'true'])
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    }
  })

  test('of a config file counts, unless the option names another', async () => {
    const file = await config({
      shell: 'bash',
      python: false,
      cwd: '/work',
      files: { '/work/in': 'of the file\n', '/sub': { directory: 'sub' } },
    })
    expect(await runHere(['run', ...file, '--', '[[ -f in ]] && cat in /sub/file'])).toEqual(
      ended(0, 'of the file\nof the file\n'),
    )
    const { code, stderr } = await runHere(['run', ...file, '--shell', 'strands', 'true'])
    expect([code, stderr]).toEqual([
      2,
      complaint(
        `--config ${JSON.stringify(file[1])}: python is a field of the bash shell, and this sandbox has the strands shell. Say shell: 'bash', or leave python out.`,
      ),
    ])
  })

  test.each([
    [
      ['run', '--python', '--', 'ls'],
      '--python: the strands shell does not have this option. Use --shell bash.',
    ],
    [
      ['repl', '--network', 'public'],
      '--network: the bash shell never reaches all public hosts. Leave --network out, or use --shell strands.',
    ],
    [
      ['run', '--shell', 'zsh', 'ls'],
      "option '--shell <name>' argument 'zsh' is invalid. Allowed choices are bash, jail, strands. (See: strands-shell-runtime run --help)",
    ],
  ])('%j is refused', async (words, message) => {
    expect(await runHere(words)).toEqual(ended(2, '', complaint(message)))
  })
})

describe('--isolation and --network', () => {
  const curl = (url: string) => ['--allow-url', url, '--', 'curl', '-s', url]

  test('say where a command runs and what it reaches', async () => {
    const server = createServer((_request, response) => response.end('reached\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
    try {
      expect(await runHere(['run', '--isolation', 'process', ...curl(url)])).toEqual(ended(0, 'reached\n'))
      expect(await runHere(['run', '--network', 'allowlist', ...curl(url)])).toEqual(ended(0, 'reached\n'))
      const refused = await runHere(['run', '--network', 'none', '--', 'curl', '-s', url])
      expect(refused.stdout + refused.stderr).toMatch(/access denied|egress refused/)
    } finally {
      server.close()
    }
  })

  test('process contains a command that ends its process', async () => {
    const end = await runHere(['run', '--isolation', 'process', '--', 'echo | tail -n 100000000000'])
    expect(end).toMatchObject({ code: 125, stderr: expect.stringContaining('SIGABRT') })
  })

  test.each([
    [
      ['--isolation', 'thread'],
      "option '--isolation <level>' argument 'thread' is invalid. Allowed choices are worker, shared, process. (See: strands-shell-runtime run --help)",
    ],
    [
      ['--network', 'none', '--isolation', 'shared'],
      "--network: expected 'public' with isolation 'shared': only cells can be held to a policy, got \"none\" (a string).",
    ],
    [
      ['--network', 'none', '--allow-url', 'http://localhost/'],
      expect.stringMatching(/^--allow-url: expected none, got 1/),
    ],
  ])('%j is refused', async (options, message) => {
    const { code, stdout, stderr } = await runHere(['run', ...options, 'true'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.replace(/^strands-shell-runtime: /, '').trimEnd()).toEqual(message)
  })
})

describe('run --json', () => {
  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await runHere(['run', '--json', ...words])
    const lines = stdout.split('\n')
    expect(lines).toHaveLength(2)
    return { code, stderr, record: JSON.parse(lines[0] ?? '') as unknown }
  }

  test('is one object of what the command did', async () => {
    expect(await json('--', 'echo out; echo err >&2; exit 7')).toEqual({
      code: 7,
      stderr: '',
      record: {
        ...{ exitCode: 7, stdout: 'out\n', stderr: 'err\n', timedOut: false, truncated: false },
        ...{ durationMs: expect.any(Number), seconds: expect.any(Number) },
      },
    })
  })

  test('is one object of what failed, with the same exit code', async () => {
    const message = 'The session was lost: The engine ignored its deadline of 0.2 s by more than 2 s.'
    const bind = ['--bind', `${silentPipe()}:/silent:ro`]
    expect(await json(...bind, '--timeout', '0.2', '--', 'cat /silent/pipe')).toEqual({
      code: 124,
      stderr: complaint(message),
      record: { exitCode: 124, error: { code: 'WORKER_LOST', message } },
    })
    expect(await json('--cwd', '/nope', 'ls')).toMatchObject({
      code: 2,
      record: {
        exitCode: 2,
        error: { code: 'USAGE', message: '--cwd: there is no directory "/nope" in the sandbox.' },
      },
    })
    expect(await json('--timeout', '0', 'ls')).toMatchObject({
      code: 2,
      record: { error: { code: 'INVALID_CONFIG' } },
    })
  })
})

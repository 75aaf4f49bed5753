import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliEnd, runCli, runShell } from './run-cli.ts'
import { runHere } from './run-here.ts'
import { noTerminal, Terminal } from './terminal.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'batch-test-'))
})
afterAll(() => rm(directory, { recursive: true }))

type Job = Readonly<Record<string, unknown>> | string

const linesOf = (jobs: readonly Job[]) =>
  jobs.map((job) => `${typeof job === 'string' ? job : JSON.stringify(job)}\n`).join('')

/** Runs a batch of Strands Shell in threads: most cells take longer to start than their jobs. Its results without their times. */
function batch(jobs: readonly Job[], args: readonly string[] = []) {
  return batchOf(jobs, ['--shell', 'strands', '--isolation', 'shared', ...args])
}

/** Runs a batch of the shell that the arguments name, or of the standard one. */
async function batchOf(jobs: readonly Job[], args: readonly string[] = []) {
  const path = join(directory, `${randomUUID()}.jsonl`)
  await writeFile(path, linesOf(jobs))
  return resultsOf(await runHere(['batch', path, ...args]))
}

function resultsOf({ stdout, ...end }: CliEnd) {
  const results = stdout.split('\n').slice(0, -1).map(withoutTime)
  return { ...end, results }
}

function withoutTime(line: string): unknown {
  const { seconds, durationMs, ...rest }: Record<string, unknown> = JSON.parse(line)
  for (const time of [seconds, durationMs]) expect(['undefined', 'number']).toContain(typeof time)
  return rest
}

const facts = { timedOut: false, truncated: false }
const done = (line: number, stdout: string, more = {}) => ({
  ...{ line, exitCode: 0, stdout, stderr: '' },
  ...facts,
  ...more,
})
const badLine = (line: number, message: RegExp) => ({
  line,
  exitCode: 2,
  error: { code: 'BAD_LINE', message: expect.stringMatching(message) },
})
const complaint = (...lines: string[]) => lines.map((line) => `strands-shell-runtime: ${line}\n`).join('')

describe('batch', () => {
  test('runs each job in a sandbox of its own and tells the results in order', async () => {
    const { code, stderr, results } = await batch([
      { command: 'sleep 0.3; echo slow > f; cat f' },
      { id: 'b', command: 'cat f 2>/dev/null || echo no file' },
      '',
      { id: { any: ['thing'] }, command: 'echo $A', env: { A: '1' } },
    ])
    expect(results).toEqual([
      done(1, 'slow\n'),
      done(2, 'no file\n', { id: 'b' }),
      done(4, '1\n', { id: { any: ['thing'] } }),
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('runs jobs in bash where nobody names a shell; a job can name its own', async () => {
    const { code, results } = await batchOf([
      {
        command: 'list=(a b); [[ -f in ]] && awk "{ print }" in > out',
        files: { in: 'x\n' },
        collect: ['out'],
      },
      { command: 'pwd', shell: 'strands' },
      { command: 'python3 -c "print(6 * 7)"', python: true, timeout: 60 },
      { command: 'pwd', shell: 'strands', python: true },
      { command: 'pwd', configFile: 'x.toml' },
    ])
    expect(results).toEqual([
      done(1, '', { files: { out: 'x\n' } }),
      done(2, '/home/lash\n'),
      done(3, '42\n'),
      badLine(4, /^python is a field of the bash shell, and this sandbox has the strands shell\./),
      badLine(5, /^configFile is a field of the strands shell, and this sandbox has the bash shell\./),
    ])
    expect(code).toBe(1)
  })

  test('tells results as they come with --unordered', async () => {
    const jobs = [{ command: 'sleep 2; echo late' }, { command: 'echo early' }]
    const { results } = await batch(jobs, ['--unordered', '--concurrency', '2'])
    expect(results).toEqual([done(2, 'early\n'), done(1, 'late\n')])
  })

  test('gives a command its standard input, text or base64', async () => {
    const { results } = await batch([
      { command: 'sort', stdin: 'b\na\n' },
      { command: 'wc -c', stdin: { base64: 'YcO8Cg==' } },
      { command: 'cat', stdin: 7 },
    ])
    expect(results).toEqual([
      done(1, 'a\nb\n'),
      done(2, '4\n'),
      badLine(3, /^stdin must be a string or a Uint8Array, but is a number/),
    ])
  })

  test('writes files first and collects others afterwards, binary ones as base64', async () => {
    const bytes = Buffer.from([0, 255, 10]).toString('base64')
    const { results } = await batch([
      {
        command: 'sort in > a/out; cp bin copy',
        files: { in: 'b\na\n', bin: { base64: bytes }, 'a/x': '' },
        collect: ['a/out', '/home/lash/copy', 'missing'],
      },
    ])
    expect(results).toEqual([
      done(1, '', { files: { 'a/out': 'a\nb\n', '/home/lash/copy': { base64: bytes } } }),
    ])
  })

  test('exits with 1 where a job failed, and counts them', async () => {
    const { code, stderr, results } = await batch([
      { command: 'echo ok' },
      { command: 'echo no >&2; exit 3' },
      { command: 'sleep 9', timeout: 0.2 },
      { command: 'ls', binds: [{ source: '/nope', destination: '/w' }] },
    ])
    expect(results).toEqual([
      done(1, 'ok\n'),
      { line: 2, exitCode: 3, stdout: '', stderr: 'no\n', ...facts },
      {
        ...{ line: 3, exitCode: 124, stdout: '', stderr: 'strands-shell: execution timeout exceeded\n' },
        ...{ timedOut: true, truncated: false },
      },
      {
        line: 4,
        exitCode: 2,
        error: { code: 'INVALID_CONFIG', message: expect.stringContaining("'/nope' (ENOENT)") },
      },
    ])
    expect({ code, stderr }).toEqual({ code: 1, stderr: complaint('3 of 4 jobs failed.') })
  })

  test('survives a job that ends its process', async () => {
    const { code, results } = await batchOf(
      [{ command: 'echo | tail -n 100000000000' }, { command: 'echo on' }],
      ['--shell', 'strands', '--concurrency', '1'],
    )
    expect(code).toBe(1)
    expect(results).toEqual([
      {
        line: 1,
        exitCode: 125,
        error: { code: 'WORKER_LOST', message: expect.stringContaining('The session was lost') },
      },
      done(2, 'on\n'),
    ])
  })

  describe('names a line that is not a job, and runs the others', () => {
    const lines = [
      ['nonsense', 'it is not valid JSON.'],
      ['{"command": "ls"', /^it is not valid JSON( \(at character 17\))?\.$/],
      ['["ls"]', 'it must be one JSON object, such as {"command":"ls"}.'],
      [{}, 'command is missing.'],
      [{ comand: 'ls' }, /^comand is no option\. Did you mean command\? /],
      [
        { command: 'ls', colect: [] },
        /^colect is no option\. Did you mean collect\? Known here: id, command, /,
      ],
      [{ command: 1 }, 'command must be a string.'],
      [{ command: 'ls', timout: 1 }, /^timout is no option\. Did you mean timeout\? /],
      [{ command: 'ls', signal: {} }, /^signal is no option\. /],
      [
        { command: 'ls', files: ['a'] },
        'files must be a plain object of paths and contents, but is an array.',
      ],
      [
        { command: 'ls', files: { a: { base64: '?' } } },
        /^files\["\/home\/(lash|user)\/a"\]\.base64 must be Base64/,
      ],
      [{ command: 'ls', collect: 'a' }, 'collect must be an array of paths.'],
    ] as const
    let end: Awaited<ReturnType<typeof batch>>
    // All in one batch: each one costs the start of a cell.
    beforeAll(async () => {
      end = await batch(lines.flatMap(([line]) => [line, { command: 'echo next' }]))
    })

    test.each(lines.map(([line, message], index) => ({ line, message, number: 2 * index + 1 })))(
      '$line',
      ({ message, number }) => {
        const matching = typeof message === 'string' ? message : expect.stringMatching(message)
        expect(end.results.slice(number - 1, number + 1)).toEqual([
          { line: number, exitCode: 2, error: { code: 'BAD_LINE', message: matching } },
          done(number + 1, 'next\n'),
        ])
        const said = end.stderr.split('\n').find((text) => text.includes(` line ${number}: `))
        expect(said?.replace(`strands-shell-runtime: line ${number}: `, '')).toEqual(matching)
        expect(end.code).toBe(1)
      },
    )

    test('that is not UTF-8', async () => {
      const stdin = Buffer.concat([
        Buffer.from('{"command":"echo '),
        Buffer.from([0xff]),
        Buffer.from('"}\n'),
      ])
      const { results } = resultsOf(await runHere(['batch', '-'], stdin))
      expect(results).toEqual([
        { line: 1, exitCode: 2, error: { code: 'BAD_LINE', message: 'it is not UTF-8 text.' } },
      ])
    })

    test('and shows nothing of it that may be a secret', async () => {
      const lines = [
        '{"command":"ls","credentials":[{"url":"https://a.b/","token":"sekrit"',
        { command: 'ls', credentials: [{ url: 'https://a.b/', token: 'sekrit', sekrit: 1 }] },
      ]
      const end = await runCli(['batch', '-'], { stdin: linesOf(lines), env: { DEBUG: '1' } })
      expect(end.code).toBe(1)
      expect(end.stdout + end.stderr).not.toContain('sekrit')
    })
  })

  test('with --strict stops at such a line, and tells what had begun', async () => {
    const jobs = [{ command: 'echo begun' }, 'nonsense', { command: 'echo never' }]
    expect(await batch(jobs, ['--strict'])).toEqual({
      code: 2,
      signal: null,
      stderr: complaint('line 2: it is not valid JSON.'),
      results: [done(1, 'begun\n')],
    })
  })

  test('takes its config from options and from a file, and a job wins over both', async () => {
    const config = join(directory, 'config.json')
    await writeFile(config, JSON.stringify({ env: { A: 'file', B: 'file', C: 'file' }, timeout: 9 }))
    const jobs = [{ command: 'echo $A $B $C', env: { C: 'job' } }]
    const { results } = await batch(jobs, ['--config', config, '--env', 'B=option'])
    expect(results).toEqual([done(1, 'file option job\n')])
  })

  test('runs more at once than there are places in cells by default', async () => {
    const length = 8 * availableParallelism() + 4
    const jobs = Array.from({ length }, (_, index) => ({ command: `sleep 0.1; echo ${index}` }))
    const { code, results } = await batchOf(jobs, ['--shell', 'strands', '--concurrency', String(length)])
    expect(code).toBe(0)
    expect(results).toEqual(jobs.map((_, index) => done(index + 1, `${index}\n`)))
  })

  test('reads a file, runs what is read as it comes, and a last line without a line break', async () => {
    const jobs = join(directory, 'jobs.jsonl')
    await writeFile(jobs, '\ufeff{"command":"echo one"}\r\n{"command":"echo two"}')
    const { code, stdout } = await runHere(['batch', jobs, '--isolation', 'shared'])
    expect({ code, results: stdout.trim().split('\n').map(withoutTime) }).toEqual({
      code: 0,
      results: [done(1, 'one\n'), done(2, 'two\n')],
    })
    const pipe = join(directory, 'pipe')
    const feed = `{ echo '{"command":"echo first"}'; head -n 1 ${pipe} > /dev/null; }`
    const fifo = `mkfifo ${pipe}; ${feed} | "$@" batch - --isolation shared > ${pipe}`
    expect((await runShell(fifo)).code).toBe(0)
  })

  test.each([
    [['batch', '/nope.jsonl'], /^the jobs cannot be read: ENOENT/],
    [['batch', '/'], /^the jobs cannot be read: "\/" is a directory\.$/],
    [
      ['batch', '-', '--concurrency', '0'],
      /^--concurrency: expected an integer from 1 to 10000, but got "0"\.$/,
    ],
    [
      ['batch', '-', '--isolation', 'worker', '--network', 'none'],
      /^--network: expected 'public' with isolation 'worker'/,
    ],
    [['batch'], /^missing required argument 'jobs'/],
  ])('%j is refused with 2', async (args, message) => {
    const { code, stdout, stderr } = await runHere(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.replace(/^strands-shell-runtime: /, '').trimEnd()).toMatch(message)
  })

  test('of no jobs is done at once', async () => {
    expect(await batch([])).toEqual({ code: 0, signal: null, stderr: '', results: [] })
  })

  test('keeps its exit code and says nothing more when its reader goes away', async () => {
    const script = `{ for n in 1 2 3 4; do echo '{"command":"printf %100000s x"}'; done | "$@" batch - --isolation shared; echo "exit $?" >&2; } | true`
    expect(await runShell(script)).toEqual({ code: 0, signal: null, stdout: '', stderr: 'exit 0\n' })
  })
})

describe.skipIf(noTerminal !== undefined)(
  `the progress bar${noTerminal === undefined ? '' : ` (${noTerminal})`}`,
  () => {
    let terminal: Terminal
    const jobs = () => join(directory, 'progress.jsonl')
    beforeAll(async () => {
      const lines = Array.from({ length: 4 }, (_, index) => ({
        command: `sleep 0.6; exit ${index === 2 ? 1 : 0}`,
      }))
      await writeFile(jobs(), linesOf(lines))
    })

    test('on standard error shows how far a batch is, and nothing of it is on standard output', async () => {
      const results = join(directory, 'results.jsonl')
      terminal = await Terminal.startShell(
        `"$@" batch ${jobs()} --isolation shared --concurrency 1 > ${results}`,
      )
      try {
        await terminal.until(/^\[=+-+\] [1-3]\/4 jobs, \d failed, \d+s left$/m)
        const screen = await terminal.until(/1 of 4 jobs failed/)
        expect(screen).toMatch(
          /^\[=+\] 4\/4 jobs, 1 failed, 0s left\nstrands-shell-runtime: 1 of 4 jobs failed\.$/m,
        )
        expect(await terminal.exitCode()).toBe(1)
        expect((await readFile(results, 'utf8')).trim().split('\n').map(withoutTime)).toHaveLength(4)
      } finally {
        await terminal.close()
      }
    })

    test('makes way for results on the same terminal, and grows with a batch of unknown length', async () => {
      terminal = await Terminal.startShell(`cat ${jobs()} | "$@" batch - --isolation shared --concurrency 2`)
      try {
        const screen = await terminal.until(/1 of 4 jobs failed/)
        const rows = screen.split('\n').filter((row) => row !== '' && !row.startsWith('[exit'))
        // A result takes more than one row.
        const lines = rows.flatMap((row) => /^\{"line":(\d)/.exec(row)?.[1] ?? [])
        expect(lines).toEqual(['1', '2', '3', '4'])
        expect(rows.slice(-2)).toEqual([
          expect.stringMatching(/^\[=+\] 4\/4 jobs, 1 failed$/),
          'strands-shell-runtime: 1 of 4 jobs failed.',
        ])
      } finally {
        await terminal.close()
      }
    })

    test('is left out with --no-progress', async () => {
      terminal = await Terminal.startShell(
        `"$@" batch ${jobs()} --isolation shared --no-progress --concurrency 2 > /dev/null`,
      )
      try {
        expect(await terminal.exitCode()).toBe(1)
        expect(await terminal.screen()).not.toContain('[=')
      } finally {
        await terminal.close()
      }
    })
  },
)

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noJails } from '../support/jail.ts'
import { runCli, runShell } from './run-cli.ts'

const strandsTest = [
  'a sandbox opens on a new worker',
  'a sandbox opens on a used one',
  'a command runs',
  'files come back as written',
  'a file over its limit is refused',
  'an endless command is ended',
  'endless recursion is survived',
  'a private address is refused',
]
const bashTest = ['a bash sandbox opens', 'bash runs a command', 'an endless bash command is ended']
const jailTest = noJails === undefined ? ['a jail opens', 'a jail runs a command'] : []
const closing = 'closing the host ends its workers'
const selfTest = [...strandsTest, ...bashTest, ...jailTest, closing]

const labels = (stdout: string, state: string) =>
  [...stdout.matchAll(/^ {2}(ok|FAIL) {2,4}(.*?)(?: +[\d.]+ ms)?$/gm)].flatMap(([, found, label]) =>
    found === state ? [label] : [],
  )

describe('doctor', () => {
  test('tells about the machine and the engine, tests itself, and exits with 0 when all is well', async () => {
    const { code, stdout, stderr } = await runCli(['doctor'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(labels(stdout, 'ok')).toEqual(selfTest)
    expect(labels(stdout, 'FAIL')).toEqual([])
    for (const line of [
      /^strands-shell-runtime \d+\.\d+\.\d+$/m,
      new RegExp(`^ {2}platform +${process.platform}$`, 'm'),
      new RegExp(`^ {2}architecture +${process.arch}$`, 'm'),
      /^ {2}C library +\S+/m,
      new RegExp(`^ {2}Node +${process.versions.node}$`, 'm'),
      /^ {2}cores +\d+$/m,
      /^ {2}memory +[\d.]+ GiB/m,
      /^ {2}limits +address space (\d+|unlimited), open files (\d+|unlimited), threads (\d+|unlimited)$/m,
      /^ {2}jails +(made by \/.*bwrap|No jail: .+)$/m,
      /^ {2}engine +@strands-agents\/shell\S* \d/m,
      /^ {2}loaded +as /m,
      /^ {2}installed at +\//m,
      /^ {2}native stacks +1024 MiB/m,
      /^ {2}bash engine +\/.*just-bash.*\.js$/m,
      /^ {2}jails +\S/m,
      /^ {2}worker entry +\/.*entry\.cjs$/m,
      /^ {2}ok {4}a sandbox opens on a new worker +[\d.]+ ms$/m,
      /^Healthy: /m,
    ]) {
      expect(stdout).toMatch(line)
    }
    expect(stdout).not.toContain('\u001b[')
  })

  test('--json is one object, and --shell looks at one shell alone', async () => {
    const { code, stdout, stderr } = await runCli(['doctor', '--json', '--shell', 'bash'])
    expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 })
    const { sections, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({
      program: 'strands-shell-runtime',
      version: expect.any(String),
      healthy: true,
      summary: 'Healthy: sandboxes work on this machine.',
    })
    expect(sections.map(({ title }: { title: string }) => title)).toEqual(['Machine', 'Parts', 'Self-test'])
    const parts = sections[1].findings.map(({ label }: { label: string }) => label)
    expect(parts).toContain('bash engine')
    expect(parts).not.toContain('engine')
    expect(sections[2].findings).toEqual(
      [...bashTest, closing].map((label) => ({ label, state: 'ok', seconds: expect.any(Number), text: '' })),
    )
  })

  test('ends quietly when its reader goes away', async () => {
    const end = await runShell('{ "$@" doctor --shell bash; echo "exit $?" >&2; } | head -n 1')
    expect(end).toMatchObject({
      code: 0,
      stderr: 'exit 0\n',
      stdout: expect.stringMatching(/^strands-shell-runtime .*\n$/),
    })
  })
})

describe('without an engine that can be loaded', () => {
  let directory: string
  let env: { readonly STRANDS_SHELL_RUNTIME_CACHE: string }
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'doctor-test-'))
    const file = join(directory, 'file')
    await writeFile(file, '')
    env = { STRANDS_SHELL_RUNTIME_CACHE: join(file, 'cache') }
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('doctor names the remedy, leaves the self-test out and exits with 1', async (context) => {
    const { code, stdout } = await runCli(['doctor'], { env })
    if (stdout.includes('as the addon that is installed'))
      context.skip('this glibc needs no copy of the addon')
    expect(code).toBe(1)
    expect(labels(stdout, 'FAIL')).toEqual(['engine'])
    expect(labels(stdout, 'ok')).toEqual([])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Set STRANDS_SHELL_RUNTIME_CACHE to a directory that belongs to this user',
    )
    expect(stdout).toContain('bash can, as doctor --shell bash tests.')
    expect(stdout).toMatch(/^Not healthy: /m)
  })

  test('run says it in one line and exits with 125', async (context) => {
    const { code, stdout, stderr } = await runCli(['run', 'true'], { env })
    if (code === 0) context.skip('this glibc needs no copy of the addon')
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toMatch(
      /^strands-shell-runtime: No Strands Shell engine for this machine .* Set STRANDS_SHELL_RUNTIME_CACHE to .*\n$/,
    )
  })

  test('a broken native stack is found by a child process, and doctor lives to tell', async () => {
    const { code, stdout } = await runCli(['doctor', '--shell', 'strands'], {
      env: { RUST_MIN_STACK: '2097152' },
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ {2}native stacks +2 MiB, as RUST_MIN_STACK says: less than 1024 MiB/m)
    expect(labels(stdout, 'FAIL')).toEqual(['endless recursion is survived'])
    expect(stdout).toContain('SIGSEGV')
    expect(stdout).toMatch(/^Not healthy: 1 of \d+ checks failed\.$/m)
  })
})

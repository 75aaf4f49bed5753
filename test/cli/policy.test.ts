import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runHere } from './run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'policy-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = policyFile(
  'policy',
  `export default [
    (call, analysis) => analysis.commands.some(({ name }) => name === 'rm') ? { deny: 'no rm' } : 'allow',
    (call) => call.command === 'slow' ? { run: 'timeout 5 slow' } : 'allow',
    (call) => call.command === 'ask' ? { ask: () => { throw new Error('asked') } } : 'allow',
    ({ sandbox, cwd, command }) => command === 'tell' ? { deny: [sandbox.shell, sandbox.labels.team, cwd].join() } : 'allow',
    (call) => { if (call.command === 'fail') throw new Error('broken') ; return 'allow' },
  ]`,
)

function policyFile(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, text)
  return path
}

test('policy tells the verdict, and what the text says', async () => {
  const text = 'f() { cat a | xargs ls; }; A=1 f > out; $x "$(date)"'
  expect(await runHere(['policy', '--file', file, text])).toEqual({
    code: 0,
    signal: null,
    stdout: [
      'allowed',
      'command: cat a',
      'command: xargs ls',
      'command: ls  (run by xargs)',
      'command: A=1 f > out',
      'command: $x "$(date)"',
      'command: date',
      'write: out',
      'assigns: A=1',
      'function: f',
      'substitution: $(date)',
      'only known at run time (name): $x "$(date)"',
      '',
    ].join('\n'),
    stderr: '',
  })
})

test('its exit code says what the policy decides', async () => {
  expect(await runHere(['policy', '--file', file, 'echo $(rm a)'])).toMatchObject({
    code: 126,
    stdout: expect.stringMatching(/^denied: no rm\n/),
  })
  expect(await runHere(['policy', '--file', file, 'ask'])).toMatchObject({
    code: 3,
    stdout: 'asks\ncommand: ask\n',
  })
  expect(await runHere(['policy', '--file', file, 'slow'])).toMatchObject({
    code: 0,
    stdout:
      'allowed\nruns instead: timeout 5 slow\ncommand: timeout 5 slow\ncommand: slow (run by timeout)\n',
  })
  expect(await runHere(['policy', '--file', file, 'fail'])).toMatchObject({
    code: 126,
    stdout: 'denied: A policy failed, so the call does not run.\ncommand: fail\n',
    stderr: 'The policy failed: broken\n',
  })
})

test('the policy is told of the shell, the labels and the directory; several words are one program', async () => {
  const options = ['--shell', 'strands', '--label', 'team=docs', '--label', 'a=b=c', '--cwd', '/work']
  expect(await runHere(['policy', '--file', file, ...options, '--', 'tell'])).toMatchObject({
    code: 126,
    stdout: 'denied: strands,docs,/work\ncommand: tell\n',
  })
  expect(await runHere(['policy', '--file', file, 'ls', 'a; rm b'])).toMatchObject({ code: 0 })
})

test('--json is one object', async () => {
  const { code, stdout } = await runHere(['policy', '--file', file, '--json', 'rm a'])
  expect(code).toBe(126)
  expect(JSON.parse(stdout)).toEqual({
    verdict: 'denied',
    reason: 'no rm',
    command: 'rm a',
    analysis: {
      parsed: true,
      commands: [{ name: 'rm', args: ['a'], text: 'rm a' }],
      redirects: [],
      assignments: [],
      functions: [],
      substitutions: [],
      opaque: [],
    },
  })
})

test('what is no policy is said', async () => {
  const none = policyFile('none', 'export default {}')
  const broken = policyFile('broken', 'throw new Error("x y")')
  for (const [args, stderr] of [
    [['--file', none, 'ls'], 'must be a policy or an array of them, but has an object.'],
    [['--file', broken, 'ls'], 'cannot be loaded: x y'],
    [['--file', join(folder, 'missing.mjs'), 'ls'], 'cannot be loaded'],
    [['ls'], "required option '--file <file>' not specified"],
    [['--file', file, '--label', 'x', 'ls'], '--label: expected KEY=VALUE, but got "x".'],
    [['--file', file], "missing required argument 'command'"],
  ] as const) {
    expect(await runHere(['policy', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(stderr),
    })
  }
})

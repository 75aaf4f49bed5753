import { describe, expect, it } from 'vitest'
import { allowCommands } from '../../src/policy/ready-made/allow-commands.ts'
import { denyCommands } from '../../src/policy/ready-made/deny-commands.ts'
import { SandboxConfigError } from '../../src/sandbox/errors.ts'
import { allows, codeCall, commandCall, fileCall, verdictOn } from './calls.ts'
import { waysToRun } from './escapes.ts'

const ordinary = 'cat chmod find xargs sh bash env sleep'.split(' ')

describe.each(['allowCommands', 'denyCommands'])('%s', (name) => {
  const policy = name === 'allowCommands' ? allowCommands(ordinary) : denyCommands(['touch'])

  it.each(waysToRun('touch', '/tmp/hit'))('denies in Strands Shell: %j', async (command) => {
    expect(await allows(policy, commandCall(command))).toBe(false)
  })

  it.each([
    'echo hi | cat',
    'cd /tmp && cat a > b',
    'f() { cat "$1"; }; f a',
    'echo $(cat a)',
    'find /tmp -name a -exec cat {} \\;',
    'echo a | xargs cat',
    'for f in a b; do cat "$f"; done',
    'sh -c "cat a"',
    "eval 'cat a; cat b'",
    'env A=1 cat a',
    'command -v cat',
    '[ -f a ] && export A=1',
    "cat <<'E'\ntouch\nE",
  ])('allows: %j', async (command) => {
    for (const shell of ['bash', 'strands'] as const)
      expect(await verdictOn(policy, commandCall(command, shell))).toBe('allow')
  })

  it('leaves to the engine of bash what only that can tell', async () => {
    for (const command of ['x=touch; $x a', 'eval "$x"', 'sh file', '. file', 'alias c=cat', 'if'])
      expect(await allows(policy, commandCall(command, 'bash'))).toBe(true)
    expect(await allows(policy, commandCall('touch a', 'bash'))).toBe(false)
  })

  it('judges code of the shell as a command, and other code by its language', async () => {
    for (const shell of ['bash', 'strands'] as const) {
      expect(await allows(policy, codeCall('cat a', 'sh', shell))).toBe(true)
      expect(await allows(policy, codeCall('touch a', 'bash', shell))).toBe(false)
    }
    expect(await allows(policy, codeCall('print(1)', 'lua'))).toBe(false)
  })

  it('does not judge file operations', async () => {
    expect(await allows(policy, fileCall('write', '/tmp/a'))).toBe(true)
  })

  it('has rules for the engine', () => {
    expect(policy.rules).toEqual(name === 'allowCommands' ? { allowed: ordinary } : { denied: ['touch'] })
  })
})

it('allowCommands allows what is listed as a path, or by a name that a path ends with', async () => {
  expect(await allows(allowCommands(['/bin/cat']), commandCall('/bin/cat a'))).toBe(true)
  expect(await allows(allowCommands(['cat']), commandCall('/bin/cat a'))).toBe(true)
  expect(await allows(allowCommands(['cat']), commandCall('/tmp/cat a'))).toBe(false)
  expect(await allows(allowCommands(['python3']), codeCall('1', 'python3', 'bash'))).toBe(true)
  expect(await allows(allowCommands(['cat']), codeCall('1', 'python3', 'bash'))).toBe(false)
  expect(await allows(denyCommands(['python3']), codeCall('1', 'python3', 'bash'))).toBe(false)
  expect(await allows(denyCommands(['rm']), codeCall('1', 'python3', 'bash'))).toBe(true)
})

it('a reason names the part, and what to do', async () => {
  const policy = allowCommands(['cat', 'ls'])
  expect(await verdictOn(policy, commandCall('rm x'))).toEqual({
    deny: 'rm may not be run here. Allowed: cat, ls.',
  })
  expect(await verdictOn(policy, commandCall('eval "$x"'))).toEqual({
    deny: 'eval "$x": which script this runs is only known at run time. Write the commands themselves.',
  })
  expect(await verdictOn(denyCommands(['rm']), commandCall('ls; /bin/rm x'))).toEqual({
    deny: '/bin/rm may not be run here.',
  })
})

it.each([
  ['names', undefined],
  ['names', 'ls'],
  ['names[1]', ['ls', 5]],
  ['names[0]', ['']],
  ['names[0]', ['ls -l']],
  ['names[0]', ['bin/ls']],
  ['names[0]', ['/bin/../ls']],
])('%s is refused: %j', (field, names) => {
  for (const make of [allowCommands, denyCommands]) {
    const call = () => make(names as readonly string[])
    expect(call).toThrow(SandboxConfigError)
    expect(call).toThrow(expect.objectContaining({ field }))
  }
})

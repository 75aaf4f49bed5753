import { expect, test } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import { captured } from './captured.ts'

async function commands(...args: string[]) {
  const outputs = captured()
  const code = await runProgram(['commands', ...args], outputs)
  return { code, ...outputs.text }
}

test('commands tells what there is, what is not, and what to use instead', async () => {
  const { code, stdout, stderr } = await commands()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const part of [
    /^ {2}basename cat /m,
    /^ {2}\. : alias /m,
    /^ {2}bc.*\n {6}.*lua/m,
    /^ {2}touch -d, /m,
  ]) {
    expect(stdout).toMatch(part)
  }
  expect(stdout.split('\n').every((line) => line.length <= 100)).toBe(true)
})

test('commands NAME… tells about these, and exits with 1 where one is not there', async () => {
  expect(await commands('jq', 'cd')).toEqual({ code: 0, stdout: 'jq: there\ncd: there\n', stderr: '' })
  expect(await commands('jq', 'which', 'whereis', 'frob')).toEqual({
    code: 1,
    stdout: 'jq: there\nwhich: there\nwhereis: not there; instead: command -v\nfrob: not there\n',
    stderr: '',
  })
})

test('commands --shell jail tells of the programs of this machine', async () => {
  expect(await commands('--shell', 'jail', 'sh', 'cd', 'no-such-program')).toEqual({
    code: 1,
    stdout: 'sh: there\ncd: there\nno-such-program: not there\n',
    stderr: '',
  })
})

test('commands --shell bash tells of bash', async () => {
  expect(await commands('--shell', 'bash', 'awk', 'source', 'git', 'python3')).toEqual({
    code: 1,
    stdout:
      'awk: there\nsource: there\ngit: not there; instead: there is no version control here: diff compares files, tar keeps a copy\npython3: not there; instead: the same, where the sandbox has it: --python, python: true\n',
    stderr: '',
  })
  const { code, stdout } = await commands('--shell', 'bash')
  expect({ code, tells: /^ {2}awk base64 /m.test(stdout), flags: stdout.includes('Flags') }).toEqual({
    code: 0,
    tells: true,
    flags: false,
  })
  expect(stdout.split('\n').every((line) => line.length <= 100)).toBe(true)
})

test('commands --json is one object', async () => {
  const { code, stdout } = await commands('--json')
  const { commands: programs, builtins, missing, flags } = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(programs).toContain('jq')
  expect(builtins).toContain('cd')
  expect(missing).toContainEqual({ names: expect.arrayContaining(['bc']), instead: expect.any(String) })
  expect(flags).toContainEqual({ names: expect.arrayContaining(['grep -z']), instead: expect.any(String) })
  expect(await commands('--json', 'jq', 'whereis')).toEqual({
    code: 1,
    stdout:
      '{"names":[{"name":"jq","there":true},{"name":"whereis","there":false,"instead":"command -v"}]}\n',
    stderr: '',
  })
})

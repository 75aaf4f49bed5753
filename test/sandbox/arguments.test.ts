import { describe, expect, test } from 'vitest'
import {
  requireCode,
  requireCommand,
  requireContent,
  requireEnvName,
  requireEnvValue,
  requirePath,
  resolveExecuteOptions,
} from '../../src/sandbox/arguments.ts'
import { refusalOf } from './refusal.ts'

const { signal } = new AbortController()

describe('resolveExecuteOptions', () => {
  test('copies what is given and leaves out what is not', () => {
    const env = { A: '1', B: '' }
    const resolved = resolveExecuteOptions({ timeout: 0.5, cwd: '/w', env, signal })
    env.A = 'changed'
    expect(resolved).toEqual({
      timeout: 0.5,
      cwd: '/w',
      env: [
        ['A', '1'],
        ['B', ''],
      ],
      signal,
    })
    expect(resolved.signal).toBe(signal)
  })

  test.each([
    [undefined],
    [{}],
    [{ env: {} }],
    [{ timeout: undefined, cwd: undefined, env: undefined, signal: undefined }],
    [new (class Options {})()],
  ])('takes options that say nothing (%#)', (options) => {
    expect(resolveExecuteOptions(options)).toEqual({})
  })

  test('reads each option once', () => {
    let reads = 0
    const options = {
      get timeout() {
        return ++reads
      },
    }
    expect([resolveExecuteOptions(options), reads]).toEqual([{ timeout: 1 }, 1])
  })

  test('takes anything that listens like an AbortSignal', () => {
    const listen = (): void => undefined
    const alike = { aborted: false, addEventListener: listen, removeEventListener: listen }
    expect(resolveExecuteOptions({ signal: alike }).signal).toBe(alike)
  })

  const seconds = 'must be a positive number of seconds, at most 86400 (a day), but is'
  test.each([
    [null, 'options', 'must be an object, but is null. Leave them out for the defaults.'],
    [
      'hush',
      'options',
      'must be an object, but is a string of 4 characters. Leave them out for the defaults.',
    ],
    [
      { timout: 3 },
      'timout',
      'is no option. Did you mean timeout? Known here: timeout, cwd, env, secretEnv, signal, stdin.',
    ],
    [
      { ['__proto__']: 2 },
      '__proto__',
      'is no option. Known here: timeout, cwd, env, secretEnv, signal, stdin.',
    ],
    [signal, 'options', 'must be an object of options, but is an AbortSignal. Pass it as { signal }.'],
    [new Map(), 'options', 'must be an object of options, but is an object.'],
    [[], 'options', 'must be an object of options, but is an array.'],
    [{ timeout: 0 }, 'timeout', `${seconds} 0 (a number). Leave it out for none.`],
    [{ timeout: -1 }, 'timeout', `${seconds} -1 (a number). Leave it out for none.`],
    [{ timeout: Number.NaN }, 'timeout', `${seconds} NaN (a number). Leave it out for none.`],
    [{ timeout: Infinity }, 'timeout', `${seconds} Infinity (a number). Leave it out for none.`],
    [{ timeout: 86_401 }, 'timeout', `${seconds} 86401 (a number). Leave it out for none.`],
    [{ timeout: '1' }, 'timeout', `${seconds} "1" (a string). Leave it out for none.`],
    [{ timeout: null }, 'timeout', `${seconds} null. Leave it out for none.`],
    [{ cwd: '' }, 'cwd', 'must be a path, but is empty. Use "." for the current directory.'],
    [{ cwd: '/a\0' }, 'cwd', 'must be text that a shell can take, but holds a NUL character at offset 2.'],
    [{ cwd: 1 }, 'cwd', 'must be a string, but is a number.'],
    [{ env: [] }, 'env', 'must be a plain object of variable names and strings, but is an array.'],
    [{ env: new Map() }, 'env', 'must be a plain object of variable names and strings, but is an object.'],
    [
      { env: 'A=hush' },
      'env',
      'must be a plain object of variable names and strings, but is a string of 6 characters.',
    ],
    [
      { env: { 'A-B': 'hush' } },
      'env["A-B"]',
      'is not a valid variable name: use letters, digits and underscores, and begin with no digit.',
    ],
    [{ env: { A: 'hush\0' } }, 'env.A', 'must be text, but holds a NUL character at offset 4.'],
    [
      { env: { A: 7 } },
      'env.A',
      'must be a string, but is a number. Convert the value, or leave the variable out.',
    ],
    [
      { env: JSON.parse('{"__proto__":"x"}') },
      'env.__proto__',
      'is reserved: choose another name for the variable.',
    ],
    [
      { signal: {} },
      'signal',
      'must be an AbortSignal, but is an object. Pass the signal of an AbortController.',
    ],
    [
      { signal: new AbortController() },
      'signal',
      'must be an AbortSignal, but is an object. Pass the signal of an AbortController.',
    ],
  ])('refuses what it cannot use (%#)', (options, field, problem) => {
    expect(refusalOf(() => resolveExecuteOptions(options))).toEqual({ field, message: `${field} ${problem}` })
  })

  test('refuses options that cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const refusal = (field: string) => ({ field, message: `${field} could not be read. Pass plain data.` })
    expect(
      [proxy, { env: proxy }, { signal: proxy }].map((options) =>
        refusalOf(() => resolveExecuteOptions(options)),
      ),
    ).toEqual([refusal('options'), refusal('options'), refusal('signal')])
  })
})

describe('the checks of single arguments', () => {
  test('return valid values', () => {
    const bytes = Buffer.from('x')
    expect([
      requireCommand(''),
      requireCommand('echo 😀\n'),
      requireCode(''),
      requirePath('a b'),
      requireEnvName('_a1'),
      requireEnvValue(''),
      requireContent(bytes) === bytes,
    ]).toEqual(['', 'echo 😀\n', '', 'a b', '_a1', '', true])
  })

  const surrogate =
    'must be text that a shell can take, but holds half of a surrogate pair, which no encoding can carry.'
  const nul = 'must be text that a shell can take, but holds a NUL character at offset 1.'
  const name = 'must be a variable name of letters, digits and underscores that begins with no digit, but is'
  test.each<[(value: unknown) => unknown, unknown, string, string]>([
    [requireCommand, undefined, 'command', 'must be a string, but is undefined.'],
    [requireCommand, ['ls'], 'command', 'must be a string, but is an array.'],
    [requireCommand, new String('ls'), 'command', 'must be a string, but is an object.'],
    [requireCommand, 'a\0', 'command', nul],
    [requireCommand, 'a\ud800', 'command', surrogate],
    [requireCode, 'a\0', 'code', nul],
    [requirePath, '', 'path', 'must be a path, but is empty. Use "." for the current directory.'],
    [requirePath, 'a\0', 'path', nul],
    [requirePath, '\udfff', 'path', surrogate],
    [requireEnvName, '1a', 'name', `${name} "1a" (a string).`],
    [requireEnvName, null, 'name', `${name} null.`],
    [requireEnvValue, 1, 'value', 'must be a string, but is a number.'],
    [
      requireContent,
      'text',
      'content',
      'must be a Uint8Array, but is a string of 4 characters. Use writeText for strings.',
    ],
    [
      requireContent,
      new ArrayBuffer(1),
      'content',
      'must be a Uint8Array, but is an object. Use writeText for strings.',
    ],
    [
      requireContent,
      new Uint16Array(1),
      'content',
      'must be a Uint8Array, but is an object. Use writeText for strings.',
    ],
    [requireContent, [1], 'content', 'must be a Uint8Array, but is an array. Use writeText for strings.'],
  ])('name the field they refuse (%#)', (check, value, field, problem) => {
    expect(refusalOf(() => check(value))).toEqual({ field, message: `${field} ${problem}` })
  })
})

import { describe, expect, test } from 'vitest'
import { resolveCredentials } from '../../src/config/credentials.ts'
import { Secret } from '../../src/config/secret.ts'
import { refusalOf } from '../sandbox/refusal.ts'

const url = 'https://api.example.com'

describe('resolveCredentials', () => {
  test('reveals tokens and reads variables, in order', () => {
    const credentials = [
      { url, token: new Secret('one') },
      { url: `${url}/v2`, envVar: 'TOKEN' },
    ]
    expect(resolveCredentials(credentials, { TOKEN: 'two' })).toEqual([
      { url, token: 'one' },
      { url: `${url}/v2`, token: 'two' },
    ])
  })

  test("reads this process's environment by itself, anew each time", () => {
    const name = 'SHELL_RUNTIME_TEST_TOKEN'
    const credentials = [{ url, envVar: name }]
    try {
      process.env[name] = 'first'
      const before = resolveCredentials(credentials)
      process.env[name] = 'second'
      expect([before, resolveCredentials(credentials)]).toEqual([
        [{ url, token: 'first' }],
        [{ url, token: 'second' }],
      ])
    } finally {
      delete process.env[name]
    }
  })

  test.each([
    [{}, 'names the variable TOKEN, which is not set. Set it before the sandbox is opened.'],
    [{ TOKEN: '' }, 'names the variable TOKEN, which is empty. Set it before the sandbox is opened.'],
    [
      { TOKEN: 'hush\n' },
      'names the variable TOKEN, which must hold a token of printable ASCII characters. Trim it: a line break at its end is a common slip.',
    ],
  ])('refuses a variable that holds no token, and shows no value', (env, problem) => {
    const credentials = [
      { url, token: new Secret('one') },
      { url, envVar: 'TOKEN' },
    ]
    expect(refusalOf(() => resolveCredentials(credentials, env))).toEqual({
      field: 'credentials[1].envVar',
      message: `credentials[1].envVar ${problem}`,
    })
  })

  test('names no variable that may be a token which came in its place', () => {
    for (const envVar of ['ghp_hushHush1', 'hush', `A${'1'.repeat(40)}`]) {
      expect(refusalOf(() => resolveCredentials([{ url, envVar }], {})).message).toBe(
        'credentials[0].envVar names a variable, which is not set. Set it before the sandbox is opened.',
      )
    }
  })

  test('takes nothing that an environment object inherits', () => {
    expect(refusalOf(() => resolveCredentials([{ url, envVar: 'toString' }], {})).field).toBe(
      'credentials[0].envVar',
    )
  })
})

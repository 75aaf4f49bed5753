import { expect, it } from 'vitest'
import { SandboxConfigError, StrandsShellSandbox } from '../../../src/index.ts'

it.each<[string, unknown, string]>([
  ['`__proto__` at the top', JSON.parse('{"__proto__":{"timeout":1}}'), '__proto__'],
  ['`__proto__` in env', JSON.parse('{"env":{"__proto__":"x"}}'), 'env.__proto__'],
  ['`__proto__` in limits', JSON.parse('{"limits":{"__proto__":{"maxOutput":1}}}'), 'limits.__proto__'],
  [
    '`__proto__` in a bind',
    JSON.parse('{"binds":[{"source":"/","destination":"/w","__proto__":{}}]}'),
    'binds[0].__proto__',
  ],
  ['`constructor`', { constructor: 1 }, 'constructor'],
  ['an unknown key', { timeOut: 1 }, 'timeOut'],
  ['null', null, 'config'],
  ['an array', [], 'config'],
  ['a string', 'x', 'config'],
  ['an instance of a class', new Date(), 'config'],
  ['a timeout of NaN', { timeout: Number.NaN }, 'timeout'],
  ['a timeout of 0', { timeout: 0 }, 'timeout'],
  ['an endless timeout', { timeout: Number.POSITIVE_INFINITY }, 'timeout'],
  ['a timeout over a day', { timeout: 86_401 }, 'timeout'],
  ['a limit of 0', { limits: { maxOutput: 0 } }, 'limits.maxOutput'],
  ['a limit of 2^32', { limits: { maxInodes: 2 ** 32 } }, 'limits.maxInodes'],
  ['a limit that is a fraction', { limits: { maxFds: 1.5 } }, 'limits.maxFds'],
  ['a relative destination', { binds: [{ source: '/', destination: 'work' }] }, 'binds[0].destination'],
  ['a destination with ..', { binds: [{ source: '/', destination: '/w/../x' }] }, 'binds[0].destination'],
  [
    'a bind mode that does not exist',
    { binds: [{ source: '/', destination: '/w', mode: 'move' }] },
    'binds[0].mode',
  ],
  [
    'a credential with both',
    { credentials: [{ url: 'https://a.example', token: 'a', envVar: 'A' }] },
    'credentials[0]',
  ],
  ['a credential with neither', { credentials: [{ url: 'https://a.example' }] }, 'credentials[0]'],
  ['a bad variable name', { env: { 'A B': 'x' } }, 'env["A B"]'],
  ['an umask over 0o777', { umask: 0o1000 }, 'umask'],
  ['an isolation that does not exist', { isolation: 'none' }, 'isolation'],
  ['an onLost that does not exist', { onLost: 'ignore' }, 'onLost'],
])('rejects an invalid config and names the field: %s', (_what, config, field) => {
  let error: unknown
  try {
    Reflect.construct(StrandsShellSandbox, [config])
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(SandboxConfigError)
  expect(error).toMatchObject({ code: 'INVALID_CONFIG', field })
})

it('a config with __proto__ does not change Object.prototype', () => {
  expect(() => Reflect.construct(StrandsShellSandbox, [JSON.parse('{"__proto__":{"polluted":1}}')])).toThrow()
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

it.each([
  [null, 'options'],
  ['host', 'options'],
  [{ hots: undefined }, 'hots'],
  [new AbortController().signal, 'options'],
  [{ host: {} }, 'host'],
  [{ host: null }, 'host'],
])('rejects an invalid second argument: %j', (options, field) => {
  expect(() => Reflect.construct(StrandsShellSandbox, [{}, options])).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', field }),
  )
})

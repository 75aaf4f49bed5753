import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type StrandsShellConfig, StrandsShellSandbox } from '../../src/index.ts'
import { type Backend, backends } from './support/backend.ts'
import { everythingSaidBy, failureOf } from './support/failure.ts'

const token = 'secret-token-of-the-suite-42'
const variable = 'secret-value-of-a-variable-43'
const secrets = [token, variable]
const config: StrandsShellConfig = {
  credentials: [{ url: 'https://api.example.com/', token }],
  env: { PASSWORD: variable },
}

describe.each(backends)('secrets ($name)', secretTests)

function secretTests(backend: Backend): void {
  it('printing a sandbox shows no secret before, while and after it is open', async () => {
    const sandbox = backend.create(config)
    const printed = [printings(sandbox)]
    const opening = sandbox.open()
    printed.push(printings(sandbox))
    await opening
    const call = sandbox.execute('true')
    printed.push(printings(sandbox))
    await call
    await sandbox.close()
    printed.push(printings(sandbox))
    expect(printed.flat().filter(holdsSecret)).toEqual([])
  })

  it('printing a sandbox shows its class and status', async () => {
    const sandbox = await backend.open(config)
    expect(inspect(sandbox)).toBe("StrandsShellSandbox { status: 'open', generation: 1 }")
    expect(JSON.parse(JSON.stringify({ sandbox }))).toEqual({ sandbox: {} })
  })

  it('a sandbox has no own properties', async () => {
    const sandbox = await backend.open(config)
    expect(Reflect.ownKeys(sandbox)).toEqual([])
  })

  it('describe() lists the URLs of credentials and no token', async () => {
    const sandbox = await backend.open(config)
    const description = JSON.stringify(await sandbox.describe())
    expect(description).toContain('https://api.example.com/')
    expect(description).not.toContain(token)
  })

  it('no error of a call contains a secret', async () => {
    const sandbox = await backend.open({ ...config, limits: { maxFileSize: 10 } })
    const scope = { env: { PASSWORD: variable } }
    const failures = [
      sandbox.execute('sleep 0.1; true', { ...scope, timeout: 0.01 }),
      sandbox.execute('true', { ...scope, signal: AbortSignal.abort() }),
      sandbox.execute(`echo ${variable}\0`, scope),
      sandbox.execute('true', { env: { PASSWORD: `${variable}\0` } }),
      sandbox.execute('true', { env: { PASSWORD: `${variable}\ud800` } }),
      sandbox.setEnv('PASSWORD', `${variable}\0`),
      sandbox.writeText('/tmp/x', variable),
      sandbox.readFile('/tmp/nope'),
      sandbox.executeCode(`${variable}\0`, 'lua', scope),
    ]
    const errors = await Promise.all(failures.map(failureOf))
    expect(
      errors.flatMap((error) => [everythingSaidBy(error), ...printings(error)]).filter(holdsSecret),
    ).toEqual([])
  })

  it('no error of opening contains a secret', async () => {
    const configs: StrandsShellConfig[] = [
      { ...config, binds: [{ source: '/no/such/source', destination: '/work' }] },
      { ...config, configFile: '/no/such/file.toml' },
      {
        ...config,
        credentials: [...(config.credentials ?? []), { url: 'https://b.example', envVar: 'NOT_SET_4711' }],
      },
    ]
    const errors = await Promise.all(configs.map((broken) => failureOf(backend.create(broken).open())))
    expect(
      errors.flatMap((error) => [everythingSaidBy(error), ...printings(error)]).filter(holdsSecret),
    ).toEqual([])
  })

  it.each<[string, unknown]>([
    ['a token with a line break', { credentials: [{ url: 'https://a.example', token: `${token}\n` }] }],
    ['a token and a variable', { credentials: [{ url: 'https://a.example', token, envVar: 'A' }] }],
    ['a token in a field that does not exist', { credentials: [{ url: 'https://a.example', tokn: token }] }],
    [
      'a token where the variable’s name belongs',
      { credentials: [{ url: 'https://a.example', envVar: token }] },
    ],
    ['a token as an object', { credentials: [{ url: 'https://a.example', token: { token } }] }],
    ['a variable with a NUL', { env: { PASSWORD: `${variable}\0` } }],
    ['an array of variables', { env: [variable] }],
    ['a good token beside another mistake', { ...config, timeout: -1 }],
  ])('no error of the constructor holds one: %s', (_what, broken) => {
    const error = thrownBy(() => Reflect.construct(StrandsShellSandbox, [broken]))
    expect([everythingSaidBy(error), ...printings(error)].filter(holdsSecret)).toEqual([])
  })

  it('the error of a lost session contains no secret', async () => {
    const sandbox = await backend.open(config)
    const error = await failureOf(sandbox.execute('find /tmp -maxdepth 0 -exec [ a = ] \\;'))
    expect([everythingSaidBy(error), ...printings(error)].filter(holdsSecret)).toEqual([])
  })
}

function holdsSecret(text: string): boolean {
  return secrets.some((secret) => text.includes(secret))
}

function printings(value: unknown): string[] {
  const deep = { showHidden: true, depth: 10, getters: true, showProxy: true }
  return [
    inspect(value),
    inspect(value, deep),
    inspect(value, { ...deep, customInspect: false }),
    inspect({ nested: { value } }, deep),
    JSON.stringify({ value }),
    JSON.stringify(Object.getOwnPropertyDescriptors(value)),
    String(value),
  ]
}

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('the call did not throw')
}

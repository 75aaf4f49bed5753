import { expect, it } from 'vitest'
import { ShellHost, StrandsShellSandbox, setDefaultHost } from '../../src/index.ts'

it('summing up is no use of the default host', () => {
  const { isolation, network } = new StrandsShellSandbox({ isolation: 'process' }).summary
  expect([isolation, network]).toEqual(['process', 'allowlist'])
  expect(() => setDefaultHost(new ShellHost({ isolation: 'worker' }))).not.toThrow()
})

it('a sandbox sums itself up without being opened, without a token and without a path of the host', () => {
  const sandbox = new StrandsShellSandbox({
    isolation: 'worker',
    binds: [{ source: '/host/place', destination: '/work' }],
    allowedUrls: ['http://127.0.0.1/'],
    credentials: [{ url: 'https://api.example.com/', token: 'tok-1' }],
    timeout: 5,
    onInterrupt: 'reset',
  })
  expect(sandbox.summary).toEqual({
    shell: 'strands',
    directory: '/home/lash',
    writable: ['/workspace'],
    python: false,
    commands: [],
    isolation: 'worker',
    network: 'public',
    binds: [{ destination: '/work', mode: 'direct', readonly: false }],
    allowedUrls: ['http://127.0.0.1/'],
    credentialUrls: ['https://api.example.com/'],
    timeout: 5,
    onInterrupt: 'reset',
    onLost: 'reopen',
    hasConfigFile: false,
  })
  expect(sandbox.status).toBe('new')
})

it('a summary has the limit of the engine where nobody says, and none where a file may', () => {
  expect(new StrandsShellSandbox().summary.timeout).toBe(30)
  expect(new StrandsShellSandbox({ configFile: '/engine.toml' }).summary).toMatchObject({
    timeout: undefined,
    hasConfigFile: true,
  })
})

it('its time limit is what the engine has', async () => {
  await using sandbox = new StrandsShellSandbox()
  expect((await sandbox.describe()).timeout).toBe(sandbox.summary.timeout)
})

it('cells have the network of their host', async () => {
  await using standard = new ShellHost()
  await using none = new ShellHost({ network: 'none' })
  const networks = [standard, none].map((host) => new StrandsShellSandbox({}, { host }).summary.network)
  expect([...networks, standard.network, none.network]).toEqual(['allowlist', 'none', 'allowlist', 'none'])
  expect(new StrandsShellSandbox({ isolation: 'worker' }, { host: standard }).summary.network).toBe('public')
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SandboxConfigError, type StrandsShellConfig } from '../../../../src/index.ts'
import { makeHost } from '../../../faults/helpers.ts'
import { result } from '../../../strands-shell/support/expected.ts'
import { startServer } from '../../../strands-shell/support/http-server.ts'
import { cellHost, engineAllows, refusal, setVariables } from './helpers.ts'

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']

beforeEach(() => {
  for (const name of proxies.flatMap((each) => [each, each.toLowerCase()])) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('what cells reach', () => {
  it('by default, what allowedUrls names, and nothing else', async () => {
    const [server, other] = await Promise.all([startServer(), startServer()])
    const { host, decisions } = cellHost()
    const sandbox = await host.open({
      allowedUrls: [`${server.origin}/api`],
      configFile: await engineAllows(`${server.origin}/`, `${other.origin}/`),
    })
    const answerOf = async (url: string) => (await sandbox.execute(`curl -s '${url}'`)).stdout
    expect(await answerOf(`${server.origin}/api/x?y=z`)).toBe('hello /api/x?y=z\n')
    for (const url of [
      `${server.origin}/`,
      `${server.origin}/apix`,
      `${server.origin}/api/../secret`,
      `${server.origin}/api/%2e%2e/secret`,
      `${server.origin}/api/..%2fsecret`,
      `${other.origin}/api/x`,
      'http://public.example/',
    ]) {
      expect([url, await answerOf(url)]).toEqual([url, refusal('NOT_ALLOWED')])
    }
    expect([server.seen.map(({ url }) => url), other.seen]).toEqual([['/api/x?y=z'], []])
    expect(decisions.filter(({ allowed }) => allowed).length).toBe(1)
  })

  it('a sandbox without allowedUrls reaches nothing, and one that names nothing public neither', async () => {
    const server = await startServer()
    const { host } = cellHost({ network: 'allowlist' })
    for (const config of [{}, { configFile: await engineAllows(`${server.origin}/`) }]) {
      const sandbox = await host.open(config)
      expect((await sandbox.execute('curl -s http://public.example/')).stdout).toBe(refusal('NOT_ALLOWED'))
      expect((await sandbox.execute('curl https://public.example/')).stderr).toBe(
        'curl: (6) error sending request for url (https://public.example/)\n',
      )
      expect((await sandbox.execute(`curl -s ${server.origin}/`)).stdout).not.toContain('hello')
    }
    expect(server.seen).toEqual([])
  })

  it("nothing with network 'none', whatever the engine would let through", async () => {
    const server = await startServer()
    const { host, decisions } = cellHost({ network: 'none' })
    const sandbox = await host.open({ configFile: await engineAllows(`${server.origin}/`) })
    for (const url of [`${server.origin}/`, 'http://public.example/']) {
      expect((await sandbox.execute(`curl -s ${url}`)).stdout).toBe(refusal('NETWORK_NONE'))
    }
    expect((await sandbox.execute('curl -s https://public.example/')).exitCode).toBe(6)
    expect([server.seen, decisions.map(({ reason }) => reason)]).toEqual([[], Array(3).fill('NETWORK_NONE')])
  })

  it("what the engine lets through with network 'public', through no proxy of the host", async () => {
    const [server, other] = await Promise.all([startServer(), startServer()])
    const { host, decisions } = cellHost({ network: 'public' })
    const sandbox = await host.open({ allowedUrls: [`${server.origin}/`] })
    expect((await sandbox.execute(`curl -s ${server.origin}/x`)).stdout).toBe('hello /x\n')
    expect(await sandbox.execute(`curl -s ${other.origin}/x`)).toEqual(
      result({ exitCode: 1, stderr: 'curl: access denied: 127.0.0.1\n' }),
    )
    expect([decisions, other.seen]).toEqual([[], []])
  })
})

describe('the proxy of the service itself', () => {
  it("is used with network 'public'", async () => {
    const upstream = await startServer()
    setVariables({ HTTP_PROXY: upstream.origin, NO_PROXY: 'direct.example' })
    const sandbox = await cellHost({ network: 'public' }).host.open()
    expect((await sandbox.execute('curl -s http://public.example/x')).stdout).toBe(
      'hello http://public.example/x\n',
    )
    expect((await sandbox.execute('curl -s http://direct.example/x')).exitCode).toBe(6)
    expect(upstream.seen.map(({ url }) => url)).toEqual(['http://public.example/x'])
  })

  it.each(['allowlist', 'none'] as const)("is not used with network '%s'", async (network) => {
    const [upstream, server] = await Promise.all([startServer(), startServer()])
    setVariables({
      HTTP_PROXY: upstream.origin,
      http_proxy: upstream.origin,
      HTTPS_PROXY: upstream.origin,
      ALL_PROXY: upstream.origin,
      NO_PROXY: '*',
      no_proxy: '127.0.0.1',
      REQUEST_METHOD: 'GET',
    })
    const { host, decisions } = cellHost({ network })
    const config = network === 'none' ? {} : { allowedUrls: [`${server.origin}/allowed`] }
    const sandbox = await host.open({ ...config, configFile: await engineAllows(`${server.origin}/`) })
    const urls = [`${server.origin}/allowed`, `${server.origin}/other`, 'http://public.example/']
    for (const url of urls) await sandbox.execute(`curl -s ${url}; curl -s https://public.example/`)
    expect(upstream.seen).toEqual([])
    expect(server.seen.map(({ url }) => url)).toEqual(network === 'none' ? [] : ['/allowed'])
    expect(decisions.length).toBe(6)
  })
})

describe('addresses of private hosts', () => {
  it("are reached as with isolation 'worker' where allowedUrls names them, under every spelling", async () => {
    const server = await startServer()
    const { port } = new URL(server.origin)
    const named = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '127.0.0.2']
    const config = { allowedUrls: named.map((name) => `http://${name}:${port}/in`) }
    const spelled = ['2130706433', '0x7f.1', '127.1', 'LOCALHOST', '127.0.0.1.', '127.0.0.3', '0.0.0.0']
    const outcomes = []
    for (const isolation of ['worker', 'process'] as const) {
      const sandbox = await makeHost({ isolation }).open(config)
      const outcome: Record<string, unknown> = {}
      for (const name of [...named, ...spelled]) {
        for (const path of ['in/side', 'out']) {
          const url = `http://${name}:${port}/${path}`
          outcome[url] = { ...(await sandbox.execute(`curl -s '${url}'`)), durationMs: 0 }
        }
      }
      outcomes.push(outcome)
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[0]).toMatchObject({ [`http://127.1:${port}/in/side`]: { stdout: 'hello /in/side\n' } })
    expect(new Set(server.seen.map(({ url }) => url))).toEqual(new Set(['/in/side']))
  })
})

describe('a policy that cannot be kept', () => {
  it.each([
    ['allowlist', 'worker'],
    ['none', 'worker'],
    ['allowlist', 'shared'],
    ['none', 'shared'],
  ] as const)("network '%s' is refused with isolation '%s'", (network, isolation) => {
    expect(() => makeHost({ network, isolation })).toThrow(
      expect.objectContaining({ name: 'SandboxConfigError', field: 'network' }),
    )
  })

  it.each([
    [
      'allowlist',
      [
        [{ isolation: 'worker' }, 'isolation'],
        [{ allowedUrls: ['http://api.example/', 'http://api.example/%ff'] }, 'allowedUrls[1]'],
      ],
    ],
    [
      'none',
      [
        [{ isolation: 'shared' }, 'isolation'],
        [{ allowedUrls: ['http://api.example/'] }, 'allowedUrls'],
      ],
    ],
  ] as const)(
    "sandboxes of a host with network '%s' that ask for more are refused",
    async (network, refused) => {
      const { host } = cellHost({ network, maxCells: 1, sandboxesPerCell: 2 })
      for (const [config, field] of refused) {
        const error = await host.open(config as StrandsShellConfig).catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(SandboxConfigError)
        expect(error).toMatchObject({ field })
      }
      const sandbox = await host.open()
      expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
    },
  )

  it("network 'public' goes with every isolation", async () => {
    const sandbox = await makeHost({ network: 'public', isolation: 'worker' }).open({ isolation: 'process' })
    expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
  })
})

import { beforeAll, expect, it } from 'vitest'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { result } from './support/expected.ts'
import { startServer } from './support/http-server.ts'

const token = 'network-test-token-1234567890'

describeEngines('the network', network)

function network(engine: HostedEngine): void {
  const { denied, noNetwork } = engine.network

  beforeAll(() => {
    // The engine honours the proxy of its process, which would see these requests instead of the test's servers.
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      Reflect.deleteProperty(process.env, name)
    }
  })

  it('refuses loopback by default, in every spelling, and sends nothing', async () => {
    const server = await startServer()
    const sandbox = await engine.open()
    const { port } = new URL(server.origin)
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0.0.0.0',
      '2130706433',
      '0x7f000001',
      '127.1',
      '[::ffff:127.0.0.1]',
    ]
    for (const host of hosts) {
      const refused = await sandbox.execute(`curl -s http://${host}:${port}/`)
      expect({ host, ...refused, exitCode: refused.exitCode > 0 }).toEqual({
        host,
        ...result({ stderr: refused.stderr }),
        exitCode: true,
      })
    }
    expect(server.seen).toEqual([])
  })

  it.each(['http://10.0.0.1/', 'http://192.168.0.1/', 'http://169.254.169.254/latest/meta-data/'])(
    'private and metadata addresses are refused by default: %s',
    async (url) => {
      const sandbox = await engine.open()
      expect(await sandbox.execute(`curl ${url}`)).toEqual(result(noNetwork(new URL(url).hostname)))
    },
  )

  it('reaches an allowed address', async () => {
    const server = await startServer()
    const sandbox = await engine.open({ allowedUrls: [`${server.origin}/`] })
    expect(await sandbox.execute(`curl -s ${server.origin}/page`)).toEqual(
      result({ stdout: 'hello /page\n' }),
    )
    expect(await sandbox.execute(`curl -s -X POST -d 'a=b' ${server.origin}/form`)).toEqual(
      result({ stdout: 'hello /form\n' }),
    )
    expect(server.seen).toEqual([
      { method: 'GET', url: '/page', authorization: undefined, body: '' },
      { method: 'POST', url: '/form', authorization: undefined, body: 'a=b' },
    ])
  })

  it('an allowed prefix ends at a segment, cannot be left by `..`, and does not reach another port', async () => {
    const [server, other] = await Promise.all([startServer(), startServer()])
    const sandbox = await engine.open({ allowedUrls: [`${server.origin}/api`] })
    const urls = [
      `${server.origin}/`,
      `${server.origin}/apix`,
      `${server.origin}/api/../secret`,
      `${other.origin}/api`,
    ]
    for (const url of urls) {
      expect(await sandbox.execute(`curl -sS ${url}`)).toEqual(result(denied(new URL(url))))
    }
    expect((await sandbox.execute(`curl -s ${server.origin}/api/x`)).stdout).toBe('hello /api/x\n')
    expect([server.seen.map(({ url }) => url), other.seen]).toEqual([['/api/x'], []])
  })

  it('a redirect to an address that is not allowed is not followed', async () => {
    const inner = await startServer()
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: `${inner.origin}/secret` }).end()
    })
    const sandbox = await engine.open({
      allowedUrls: [`${server.origin}/`],
      credentials: [{ url: `${server.origin}/`, token }],
    })
    expect(await sandbox.execute(`curl -sS -L ${server.origin}/go`)).toEqual(
      result(denied(new URL(`${inner.origin}/secret`))),
    )
    expect(inner.seen).toEqual([])
  })

  it('a credential is added to its addresses only, also when the host’s environment holds it', async () => {
    const [server, other] = await Promise.all([startServer(), startServer()])
    process.env['BEHAVIOUR_NETWORK_TOKEN'] = token
    const configs = [
      { url: server.origin, token },
      { url: `${server.origin}/`, envVar: 'BEHAVIOUR_NETWORK_TOKEN' },
    ]
    for (const credential of configs) {
      const allowedUrls = [`${server.origin}/`, `${other.origin}/`]
      const sandbox = await engine.open({ allowedUrls, credentials: [credential] })
      await sandbox.execute(`curl -s ${server.origin}/a; curl -s ${other.origin}/a`)
    }
    Reflect.deleteProperty(process.env, 'BEHAVIOUR_NETWORK_TOKEN')
    const request = { method: 'GET', url: '/a', body: '' }
    expect(server.seen).toEqual(Array(2).fill({ ...request, authorization: `Bearer ${token}` }))
    expect(other.seen).toEqual(Array(2).fill({ ...request, authorization: undefined }))
  })

  it('a credential is not sent on to where a redirect leads', async () => {
    const target = await startServer()
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: `${target.origin}/landed` }).end()
    })
    const sandbox = await engine.open({
      allowedUrls: [`${server.origin}/`, `${target.origin}/`],
      credentials: [{ url: `${server.origin}/`, token }],
    })
    expect((await sandbox.execute(`curl -s -L ${server.origin}/go`)).stdout).toBe('hello /landed\n')
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`])
    expect(target.seen.map(({ authorization }) => authorization)).toEqual([undefined])
  })

  it('a credential is in no output, header, variable or file', async () => {
    const server = await startServer()
    const sandbox = await engine.open({
      allowedUrls: [`${server.origin}/`],
      credentials: [{ url: `${server.origin}/`, token }],
    })
    const commands = [
      `curl -v -i ${server.origin}/a`,
      'env; set; export; alias; trap',
      'find / -type f | while read -r f; do cat "$f"; done; grep -r \'token\' /tmp /home',
      'cat /proc/self/environ /proc/self/cmdline; ls -l /proc /dev',
      `lua -e 'for k, v in pairs(_G) do print(k, v) end print(os.getenv("BEHAVIOUR_NETWORK_TOKEN"))'`,
    ]
    const outputs: string[] = []
    for (const command of commands) {
      const { stdout, stderr } = await sandbox.execute(command)
      outputs.push(stdout, stderr)
    }
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`])
    expect(outputs.filter((text) => text.includes(token))).toEqual([])
  })

  it('a server that hangs up fails the command and keeps the session', async () => {
    const server = await startServer((request) => request.socket.destroy())
    const sandbox = await engine.open({ allowedUrls: [`${server.origin}/`], timeout: 5 })
    const failed = await sandbox.execute(`curl -s ${server.origin}/`)
    expect([failed.exitCode > 0, failed.stdout]).toEqual([true, ''])
    expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
  })
}

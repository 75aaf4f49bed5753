import type { IncomingHttpHeaders } from 'node:http'
import { inspect } from 'node:util'
import { expect, it, vi } from 'vitest'
import { result } from '../../../strands-shell/support/expected.ts'
import { startServer } from '../../../strands-shell/support/http-server.ts'
import { ownFieldsOf } from '../../../support/event-fields.ts'
import { startTlsServer } from './fixtures/tls-server.ts'
import { cellHost, engineAllows, refusal, watchProxyUrls } from './helpers.ts'

const token = 'egress-test-token-1234567890'

it('a credential goes to its addresses and nowhere else', async () => {
  const [server, other] = await Promise.all([startServer(), startServer()])
  const { host } = cellHost()
  const sandbox = await host.open({
    allowedUrls: [`${server.origin}/`, `${other.origin}/`],
    credentials: [{ url: `${server.origin}/`, token }],
  })
  await sandbox.execute(`curl -s ${server.origin}/a; curl -s ${other.origin}/a`)
  expect(server.seen.map(({ url, authorization }) => [url, authorization])).toEqual([
    ['/a', `Bearer ${token}`],
  ])
  expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined])
})

it('a credential goes through a tunnel, unseen by the proxy', async () => {
  const seen: IncomingHttpHeaders[] = []
  const origin = await startTlsServer((request, response) => {
    seen.push(request.headers)
    response.end(`hello ${request.url}\n`)
  })
  const { host, decisions, ends } = cellHost()
  const sandbox = await host.open({
    allowedUrls: [`${origin}/private`],
    credentials: [{ url: `${origin}/`, token }],
  })
  expect(await sandbox.execute(`curl -sk '${origin}/private/a?key=value'`)).toEqual(
    result({ stdout: 'hello /private/a?key=value\n' }),
  )
  expect(seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`])
  expect(seen[0]).not.toHaveProperty('proxy-authorization')
  const { host: authority } = new URL(origin)
  expect(decisions.map(ownFieldsOf)).toEqual([
    { allowed: true, cell: 'cell-1', method: 'CONNECT', url: authority, address: '127.0.0.1' },
  ])
  await vi.waitFor(() => expect(ends).toMatchObject([{ cell: 'cell-1', method: 'CONNECT', url: authority }]))
})

it('a credential allows no address: allowedUrls must have it, too', async () => {
  const server = await startServer()
  const sandbox = await cellHost().host.open({
    credentials: [
      { url: `${server.origin}/`, token },
      { url: 'http://api.example/', token },
    ],
    configFile: await engineAllows(`${server.origin}/`),
  })
  for (const url of [`${server.origin}/`, 'http://api.example/']) {
    expect((await sandbox.execute(`curl -s ${url}`)).stdout).toBe(refusal('NOT_ALLOWED'))
  }
  expect(server.seen).toEqual([])
})

it('a redirect is checked as a new request, and carries the credential only to its own addresses', async () => {
  const [inner, landing] = await Promise.all([startServer(), startServer()])
  const to = {
    '/inner': `${inner.origin}/`,
    '/landing': `${landing.origin}/`,
    '/name': 'http://evil.example/',
  }
  const server = await startServer((request, response) => {
    const location = Object.entries(to).find(([path]) => path === request.url)?.[1]
    response.writeHead(302, { location }).end()
  })
  const sandbox = await cellHost().host.open({
    allowedUrls: [`${server.origin}/`, `${landing.origin}/`],
    credentials: [{ url: `${server.origin}/`, token }],
    configFile: await engineAllows(`${inner.origin}/`),
  })
  const follow = async (path: string) => (await sandbox.execute(`curl -s -L ${server.origin}${path}`)).stdout
  expect([await follow('/inner'), await follow('/name'), await follow('/landing')]).toEqual([
    refusal('NOT_ALLOWED'),
    refusal('NOT_ALLOWED'),
    'hello /\n',
  ])
  expect(server.seen.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${token}`))
  expect([inner.seen, landing.seen.map(({ authorization }) => authorization)]).toEqual([[], [undefined]])
})

it('neither the token of a credential nor the cell’s token for the proxy appears anywhere', async () => {
  const proxyUrls = watchProxyUrls()
  const echo = await startServer((request, response) => {
    const { authorization: _own, ...headers } = request.headers
    response.end(`${request.url} ${JSON.stringify(headers)}\n`)
  })
  const { host, decisions, ends } = cellHost()
  const events: unknown[] = [decisions, ends]
  for (const event of ['opened', 'lost', 'reopened', 'closed', 'rejected', 'idle'] as const) {
    host.on(event, (data) => events.push(data))
  }
  const sandbox = await host.open({
    allowedUrls: [`${echo.origin}/`],
    credentials: [{ url: `${echo.origin}/`, token }],
    onInterrupt: 'reset',
  })
  const said: unknown[] = []
  for (const command of [
    `curl -v -i '${echo.origin}/a?b=c'`,
    `curl -v http://evil.example/; curl -v https://evil.example/; curl -v ${echo.origin}0/`,
    `curl -s -X OPTIONS ${echo.origin}/; curl -s -X TRACE ${echo.origin}/; curl -w '%{json} %{url_effective}' ${echo.origin}/`,
    'env; set; export; alias; echo "$HTTP_PROXY $http_proxy $ALL_PROXY"; cat ~/.curlrc /etc/environment',
    'cat /proc/self/environ /proc/self/cmdline /proc/1/environ; ls -lR / | head -100',
    'find / -type f | while read -r f; do cat "$f"; done',
    `lua -e 'for _, n in ipairs{"HTTP_PROXY", "https_proxy", "ALL_PROXY"} do print(os.getenv(n)) end print(io.open("/proc/self/environ"))'`,
  ]) {
    said.push(await sandbox.execute(command))
  }
  const interrupted = await sandbox.execute('sleep 5', { timeout: 0.05 }).catch((error: unknown) => error)
  said.push(
    interrupted,
    await sandbox.execute('env'),
    await sandbox.describe(),
    host,
    sandbox,
    host.stats(),
    host.list(),
    events,
  )
  await host.close()
  const { password, username } = new URL(proxyUrls[0] ?? '')
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  const text = inspect(said, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })
  expect(echo.seen.length).toBeGreaterThan(2)
  expect(password.length).toBeGreaterThan(40)
  expect(
    [token, password, basic, encodeURIComponent(password)].filter((secret) => text.includes(secret)),
  ).toEqual([])
  expect(text).not.toContain('proxy-authorization')
})

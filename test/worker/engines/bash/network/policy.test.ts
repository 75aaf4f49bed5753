import { describe, expect, it } from 'vitest'
import { startServer } from '../../../../strands-shell/support/http-server.ts'
import { run } from '../open-shell.ts'
import { openWorld, PUBLIC } from './world.ts'

const denied = (url: string) =>
  `curl: (7) access denied: the allowlist of this sandbox does not name ${url}\n`

describe.each(['direct', 'proxied'] as const)('what a bash sandbox reaches (%s)', (way) => {
  it('a prefix: scheme, host and port are equal, and the path ends at a segment', async () => {
    const [server, other] = await Promise.all([startServer(), startServer()])
    const { shell } = await openWorld({ allowedUrls: [`${server.origin}/api`] }, { way })
    for (const path of ['/api', '/api/x', '/api/', '/api?q=../..', '/api/a/../b', "/api/x?a=\\b|'"])
      expect((await run(shell, `curl -s "${server.origin}${path}"`))[1], path).toMatch(/^hello \/api/)
    const seen = server.seen.length
    for (const url of [
      '/',
      '/apix',
      '/API',
      '/api/../secret',
      '/api/%2e%2e/secret',
      '/api/..%2fsecret',
      '/api/..%252fsecret',
      '/api/..;/secret',
      '/api/..%5csecret',
      '/api/..\\\\secret',
      '/api/%ff',
      '//api/x',
      '/%2e/../secret',
      `@${new URL(other.origin).host}/api/x`,
    ])
      expect([url, await run(shell, `curl -sS '${server.origin}${url}'`)]).toEqual([
        url,
        [7, '', expect.stringContaining('access denied')],
      ])
    expect(await run(shell, `curl ${other.origin}/api/x`)).toEqual([7, '', denied(`${other.origin}/api/x`)])
    expect([server.seen.length, other.seen]).toEqual([seen, []])
  })

  it.each([
    'http://localhost:PORT/',
    'http://127.0.0.2:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://127.0.0.1.nip.example:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'https://127.0.0.1:PORT/',
    'http://api.example@127.0.0.2:PORT/',
    'http://api.example:80@evil.example/',
    'http://api.example./',
    'http://api.example.evil.example/',
    'http://api.example:8080/',
    'https://api.example/',
    'evil.example',
  ])('not %s, which no entry names', async (text) => {
    const server = await startServer()
    const url = text.replace('PORT', new URL(server.origin).port)
    const { shell, resolved, connections } = await openWorld(
      { allowedUrls: [server.origin, 'http://api.example/'] },
      { way, names: { 'evil.example': [[PUBLIC]], 'api.example': [[PUBLIC]] }, origin: server.origin },
    )
    expect(await run(shell, `curl -s '${url}'`)).toEqual([7, '', ''])
    expect([server.seen, resolved, connections]).toEqual([[], [], []])
  })

  it.each(['0x7f.1', '127.1', '2130706433', '127.0.0.1.', '%31%32%37.0.0.1'])(
    '%s is the address that an entry names',
    async (host) => {
      const server = await startServer()
      const { port } = new URL(server.origin)
      const { shell } = await openWorld({ allowedUrls: [server.origin] }, { way })
      expect(await run(shell, `curl -s 'http://${host}:${port}/x'`)).toEqual([0, 'hello /x\n', ''])
    },
  )

  it('a name at its public addresses: it is resolved once, and that answer is connected to', async () => {
    const server = await startServer()
    const { shell, resolved, connections } = await openWorld(
      { allowedUrls: ['http://api.example/'] },
      // The second answer is what a hostile name server gives to whoever looks again.
      { way, names: { 'api.example': [[PUBLIC], ['127.0.0.1']] }, origin: server.origin },
    )
    expect(await run(shell, 'curl -s http://API.example/x')).toEqual([0, 'hello /x\n', ''])
    expect([resolved, connections]).toEqual([['api.example'], [`${PUBLIC}:80`]])
    expect(await run(shell, 'curl http://api.example/x')).toEqual([
      7,
      '',
      'curl: (7) access denied: api.example has no public address\n',
    ])
    expect(connections.length).toBe(1)
  })

  it.each([
    ['10.0.0.1'],
    ['192.168.1.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['0.0.0.0'],
    ['::1'],
    ['fd00:ec2::254'],
    ['fe80::1'],
    ['::ffff:169.254.169.254'],
    ['127.0.0.1', '::1'],
  ])('not a name that means %s', async (...addresses) => {
    const server = await startServer()
    const { shell, connections } = await openWorld(
      { allowedUrls: ['http://api.example/'] },
      { way, names: { 'api.example': [addresses] }, origin: server.origin },
    )
    expect(await run(shell, 'curl -s http://api.example/')).toEqual([7, '', ''])
    expect([connections, server.seen]).toEqual([[], []])
  })

  it('of a name with a private and a public address, the public one alone', async () => {
    const server = await startServer()
    const { shell, connections } = await openWorld(
      { allowedUrls: ['http://api.example/'] },
      { way, names: { 'api.example': [['10.0.0.1', PUBLIC, '::1']] }, origin: server.origin },
    )
    expect((await run(shell, 'curl -s http://api.example/'))[0]).toBe(0)
    expect(connections).toEqual([`${PUBLIC}:80`])
  })

  it('localhost at loopback, where an entry names it', async () => {
    const server = await startServer()
    const { port } = new URL(server.origin)
    const allowedUrls = [`http://localhost:${port}/`]
    const good = await openWorld({ allowedUrls }, { way, names: { localhost: [['127.0.0.1']] } })
    expect(await run(good.shell, `curl -s localhost:${port}/`)).toEqual([0, 'hello /\n', ''])
    const odd = await openWorld({ allowedUrls }, { way, names: { localhost: [[PUBLIC]] } })
    expect((await run(odd.shell, `curl -s localhost:${port}/`))[0]).toBe(7)
  })

  it('checks each redirect: other hosts, other paths, private addresses, other schemes', async () => {
    const inner = await startServer()
    const to: Record<string, string> = {
      '/ok/inner': `${inner.origin}/secret`,
      '/ok/path': '/secret',
      '/ok/schemeless': `//${new URL(inner.origin).host}/secret`,
      '/ok/file': 'file:///etc/passwd',
      '/ok/name': 'http://rebound.example/',
      '/ok/user': `http://u:p@${new URL(inner.origin).host}/`,
      '/ok/odd': 'http://[',
    }
    const server = await startServer((request, response) => {
      const location = to[request.url ?? '']
      if (location === undefined) response.end('granted\n')
      else response.writeHead(302, { location }).end()
    })
    const { shell } = await openWorld(
      { allowedUrls: [`${server.origin}/ok`, 'http://rebound.example/'] },
      { way, names: { 'rebound.example': [['127.0.0.1']] } },
    )
    const codes: Record<string, number> = {}
    for (const path of Object.keys(to))
      codes[path] = (await run(shell, `curl -sL ${server.origin}${path}`))[0]
    expect(codes).toEqual({
      '/ok/inner': 7,
      '/ok/path': 7,
      '/ok/schemeless': 7,
      '/ok/file': 1,
      '/ok/name': 7,
      '/ok/user': 7,
      '/ok/odd': 3,
    })
    expect([inner.seen, server.seen.map(({ url }) => url)]).toEqual([[], Object.keys(to)])
  })

  it('the host header and the framing are those of the address, whatever the agent writes', async () => {
    const raw: (readonly string[])[] = []
    const server = await startServer((request, response) => {
      raw.push(request.rawHeaders)
      response.end()
    })
    const { shell } = await openWorld({ allowedUrls: [server.origin] }, { way })
    const headers = [
      'Host: evil.example',
      'Content-Length: 99',
      'Transfer-Encoding: chunked',
      'Connection: upgrade',
      'Upgrade: x',
    ]
    await run(
      shell,
      `curl -s ${headers.map((text) => `-H '${text}'`).join(' ')} -H 'X-Mine: ü' ${server.origin}/`,
    )
    const [got = []] = raw
    expect(got.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase())).toEqual(
      expect.arrayContaining(['host', 'user-agent', 'accept', 'x-mine', 'connection']),
    )
    expect(got[got.indexOf('Host') + 1]).toBe(new URL(server.origin).host)
    const framing = got.filter((text) => text !== new URL(server.origin).host)
    expect(framing.join('\n')).not.toMatch(/evil|upgrade|chunked|99|proxy/i)
    for (const text of ['A: b\\r\\nC: d', 'A b: c', 'A: b\\nHost: evil'])
      expect(await run(shell, `curl -sS -H "$(printf '${text}')" ${server.origin}/`)).toEqual([
        43,
        '',
        expect.stringMatching(/^curl: \(43\)/),
      ])
    expect(server.seen.length).toBe(1)
  })

  it('no server can speak for the proxy', async () => {
    const server = await startServer((_request, response) => {
      response.setHeader('proxy-status', 'strands-shell-runtime; error=NOT_ALLOWED').end('hello\n')
    })
    const { shell } = await openWorld({ allowedUrls: [server.origin] }, { way })
    expect(await run(shell, `curl -s ${server.origin}/`)).toEqual([0, 'hello\n', ''])
  })

  it('a name that has no address, and a host that cannot be reached, are failures of curl', async () => {
    const server = await startServer()
    const { shell } = await openWorld(
      { allowedUrls: ['http://none.example/', 'http://127.0.0.1:9/', server.origin] },
      { way },
    )
    const codes = []
    for (const url of ['http://none.example/', 'http://127.0.0.1:9/'])
      codes.push((await run(shell, `curl -s ${url}`))[0])
    expect(codes).toEqual(way === 'direct' ? [6, 7] : [52, 52])
    expect((await run(shell, `curl -s ${server.origin}/`))[0]).toBe(0)
  })
})

it('an entry that cannot be matched is refused', async () => {
  await expect(
    openWorld({ allowedUrls: ['http://a.example/', 'http://a.example/%ff'] }),
  ).rejects.toMatchObject({
    data: { code: 'INVALID_CONFIG', field: 'allowedUrls[1]' },
  })
})

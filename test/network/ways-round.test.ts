import { expect, test } from 'vitest'
import { valuesOf } from '../../src/network/headers.ts'
import { credentials, openTunnel, PUBLIC, send, sendRaw, startOrigin, startProxy } from './helpers.ts'

/** Names that an attacker's DNS answers for; all but the first are of no use. */
const names = {
  'api.example': [PUBLIC],
  'loopback.example': ['127.0.0.1', '::1'],
  'private.example': ['10.0.0.1', '172.16.0.1', '192.168.0.1', 'fd00::1'],
  'metadata.example': ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200'],
  'embedded.example': ['::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1'],
  'any.example': ['0.0.0.0', '::', '255.255.255.255', '224.0.0.1', 'fe80::1%eth0'],
}

const policy = {
  network: 'allowlist',
  allow: [
    'http://api.example/v1',
    'https://api.example/',
    ...Object.keys(names)
      .slice(1)
      .flatMap((name) => [`http://${name}/`, `https://${name}/`]),
  ],
} as const

type Way = readonly [title: string, bytes: string, status: number, reason: string]

/** A request with the cell's credentials, and these lines after it. */
const ask = (line: string, ...more: string[]) =>
  `${[line, 'Host: api.example', 'Proxy-Authorization: TOKEN', ...more].join('\r\n')}\r\n\r\n`
const get = (url: string) => ask(`GET ${url} HTTP/1.1`)
const post = (...framing: string[]) => ask('POST http://api.example/v1 HTTP/1.1', ...framing)
const smuggled = '0\r\n\r\nGET http://api.example/secret HTTP/1.1\r\nHost: api.example\r\n\r\n'

const otherPlaces: readonly Way[] = [
  ['another host', get('http://evil.example/'), 403, 'NOT_ALLOWED'],
  ['the allowed host’s address', get(`http://${PUBLIC}/v1`), 403, 'NOT_ALLOWED'],
  ['a host that starts like the allowed one', get('http://api.example.evil.example/v1'), 403, 'NOT_ALLOWED'],
  ['a subdomain', get('http://x.api.example/v1'), 403, 'NOT_ALLOWED'],
  ['the name with a dot at its end', get('http://api.example./v1'), 403, 'NOT_ALLOWED'],
  ['another port', get('http://api.example:8080/v1'), 403, 'NOT_ALLOWED'],
  ['TLS’s port in the clear', get('http://api.example:443/v1'), 403, 'NOT_ALLOWED'],
  ['another path', get('http://api.example/secret'), 403, 'NOT_ALLOWED'],
  ['a path that only starts like the allowed one', get('http://api.example/v10'), 403, 'NOT_ALLOWED'],
  ['a path with dot segments', get('http://api.example/v1/../secret'), 403, 'NOT_ALLOWED'],
  ['a path with escaped dots', get('http://api.example/v1/%2e%2E/secret'), 403, 'NOT_ALLOWED'],
  ['a path with an escaped slash', get('http://api.example/v1/..%2fsecret'), 403, 'NOT_ALLOWED'],
  ['a path escaped twice', get('http://api.example/v1/%252e%252e/secret'), 403, 'NOT_ALLOWED'],
  ['a path with parameters', get('http://api.example/v1/..;/secret'), 403, 'NOT_ALLOWED'],
  ['a path with an overlong escape', get('http://api.example/v1/%c0%ae%c0%ae/secret'), 403, 'NOT_ALLOWED'],
  ['loopback', get('http://127.0.0.1/'), 403, 'NOT_ALLOWED'],
  ['loopback over IPv6', get('http://[::1]/'), 403, 'NOT_ALLOWED'],
  ['localhost', get('http://localhost/'), 403, 'NOT_ALLOWED'],
  ['the metadata service', get('http://169.254.169.254/latest/meta-data/'), 403, 'NOT_ALLOWED'],
]

const otherSpellings: readonly Way[] = [
  ['a user name that looks like the host', get('http://api.example@evil.example/v1'), 400, 'BAD_REQUEST'],
  ['a user name', get('http://user:pass@api.example/v1'), 400, 'BAD_REQUEST'],
  ['a fragment that looks like the host', get('http://evil.example#@api.example/v1'), 400, 'BAD_REQUEST'],
  ['a backslash', get('http://evil.example\\@api.example/v1'), 400, 'BAD_REQUEST'],
  ['a backslash in the path', get('http://api.example/v1\\..\\secret'), 400, 'BAD_REQUEST'],
  ['an escaped host', get('http://api%2eexample/v1'), 400, 'BAD_REQUEST'],
  ['a decimal address', get('http://2130706433/'), 400, 'BAD_REQUEST'],
  ['a hexadecimal address', get('http://0x7f.1/'), 400, 'BAD_REQUEST'],
  ['an octal address', get('http://0177.0.0.1/'), 400, 'BAD_REQUEST'],
  ['a short address', get('http://127.1/'), 400, 'BAD_REQUEST'],
  ['a mapped address', get('http://[::ffff:127.0.0.1]/'), 400, 'BAD_REQUEST'],
  ['an address with a zone', get('http://[fe80::1%25eth0]/'), 400, 'BAD_REQUEST'],
  ['no address, but a Host header', get('/v1'), 400, 'BAD_REQUEST'],
  ['an address without a scheme', get('//api.example/v1'), 400, 'BAD_REQUEST'],
  ['TLS by the proxy', get('https://api.example/'), 400, 'BAD_REQUEST'],
  ['a WebSocket address', get('ws://api.example/v1'), 400, 'BAD_REQUEST'],
  ['a file', get('file:///etc/passwd'), 400, 'BAD_REQUEST'],
  ['the proxy itself', ask('OPTIONS * HTTP/1.1'), 400, 'BAD_REQUEST'],
]

const otherNames: readonly Way[] = Object.keys(names)
  .slice(1)
  .flatMap((name): Way[] => [
    [`an allowed name: ${name}`, get(`http://${name}/`), 403, 'PRIVATE_ADDRESS'],
    [`a tunnel to it: ${name}`, ask(`CONNECT ${name}:443 HTTP/1.1`), 403, 'PRIVATE_ADDRESS'],
  ])

const otherProtocols: readonly Way[] = [
  ['TRACE', ask('TRACE http://api.example/v1 HTTP/1.1'), 405, 'METHOD'],
  ['PROPFIND', ask('PROPFIND http://api.example/v1 HTTP/1.1'), 405, 'METHOD'],
  ['a method of one’s own', ask('FETCH http://api.example/v1 HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['connect in small letters', ask('connect api.example:443 HTTP/1.1'), 400, 'BAD_REQUEST'],
  [
    'WebSocket',
    ask('GET http://api.example/v1 HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'),
    501,
    'UPGRADE',
  ],
  [
    'h2c',
    ask(
      'GET http://api.example/v1 HTTP/1.1',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ),
    501,
    'UPGRADE',
  ],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'BAD_REQUEST'],
  ['HTTP/1.0', ask('GET http://api.example/v1 HTTP/1.0'), 400, 'BAD_REQUEST'],
  ['HTTP/0.9', ask('GET http://api.example/v1 HTTP/0.9'), 400, 'BAD_REQUEST'],
  ['TLS to the proxy', '\x16\x03\x01\x00\xfc\x01\x00\x00\xf8\x03\x03', 400, 'BAD_REQUEST'],
]

const otherTunnels: readonly Way[] = [
  ['another host', ask('CONNECT evil.example:443 HTTP/1.1'), 403, 'NOT_ALLOWED'],
  ['another port', ask('CONNECT api.example:22 HTTP/1.1'), 403, 'NOT_ALLOWED'],
  ['the port of the http entry', ask('CONNECT api.example:80 HTTP/1.1'), 403, 'NOT_ALLOWED'],
  ['the allowed host’s address', ask(`CONNECT ${PUBLIC}:443 HTTP/1.1`), 403, 'NOT_ALLOWED'],
  ['loopback', ask('CONNECT 127.0.0.1:443 HTTP/1.1'), 403, 'NOT_ALLOWED'],
  ['a decimal address', ask('CONNECT 2130706433:443 HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['no port', ask('CONNECT api.example HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['port 0', ask('CONNECT api.example:0 HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['a port of six digits', ask('CONNECT api.example:65979 HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['a user name', ask('CONNECT api.example@evil.example:443 HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['a path', ask('CONNECT evil.example/api.example:443 HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['a whole address', ask('CONNECT https://api.example:443 HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['a body', `${ask('CONNECT api.example:443 HTTP/1.1', 'Content-Length: 3')}abc`, 400, 'BAD_REQUEST'],
  [
    'chunks',
    `${ask('CONNECT api.example:443 HTTP/1.1', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    400,
    'BAD_REQUEST',
  ],
]

const smuggling: readonly Way[] = [
  [
    'length and chunks',
    `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}${smuggled}`,
    400,
    'BAD_REQUEST',
  ],
  [
    'chunks and length',
    `${post('Transfer-Encoding: chunked', 'Content-Length: 4')}${smuggled}`,
    400,
    'BAD_REQUEST',
  ],
  ['two lengths', `${post('Content-Length: 0', 'Content-Length: 50')}${smuggled}`, 400, 'BAD_REQUEST'],
  ['a list of lengths', `${post('Content-Length: 5, 5')}${smuggled}`, 400, 'BAD_REQUEST'],
  ['a signed length', `${post('Content-Length: +5')}${smuggled}`, 400, 'BAD_REQUEST'],
  ['a hexadecimal length', `${post('Content-Length: 0x5')}${smuggled}`, 400, 'BAD_REQUEST'],
  ['an encoding that is none', `${post('Transfer-Encoding: xchunked')}${smuggled}`, 400, 'BAD_REQUEST'],
  [
    'an encoding before the chunks',
    `${post('Transfer-Encoding: gzip, chunked')}${smuggled}`,
    400,
    'BAD_REQUEST',
  ],
  [
    'an encoding after the chunks',
    `${post('Transfer-Encoding: chunked, identity')}${smuggled}`,
    400,
    'BAD_REQUEST',
  ],
  [
    'chunks twice',
    `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}${smuggled}`,
    400,
    'BAD_REQUEST',
  ],
  ['a blank before the colon', `${post('Transfer-Encoding : chunked')}${smuggled}`, 400, 'BAD_REQUEST'],
  [
    'a header that starts with a blank',
    `${post('X: y', ' Transfer-Encoding: chunked')}${smuggled}`,
    400,
    'BAD_REQUEST',
  ],
  ['a return in a header', post('X: y\rTransfer-Encoding: chunked'), 400, 'BAD_REQUEST'],
  ['a NUL in a header', post('X: y\0z'), 400, 'BAD_REQUEST'],
  ['a header without a name', post(': y'), 400, 'BAD_REQUEST'],
]

test.each([
  ...otherPlaces,
  ...otherSpellings,
  ...otherNames,
  ...otherProtocols,
  ...otherTunnels.map(([title, ...way]): Way => [`a tunnel with ${title}`, ...way]),
  ...smuggling.map(([title, ...way]): Way => [`a body with ${title}`, ...way]),
])('%s', async (_title, bytes, status, reason) => {
  const origin = await startOrigin()
  const { proxy, decisions, connections } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', policy)
  const answer = await sendRaw(proxy.port, Buffer.from(bytes.replace('TOKEN', credentials(pass)), 'latin1'))
  expect([answer.slice(0, 12), answer.match(/HTTP\/1\.1 /g)?.length]).toEqual([`HTTP/1.1 ${status}`, 1])
  expect(decisions.map((told) => [told.allowed, told.reason])).toEqual([[false, reason]])
  expect([connections, origin.seen]).toEqual([[], []])
})

test('a name that resolves to another address the second time is refused', async () => {
  const origin = await startOrigin()
  const rebind = { 'rebind.example': [[PUBLIC], ['127.0.0.1'], [PUBLIC, '127.0.0.1']] }
  const { proxy, connections, resolved, decisions } = await startProxy({ names: rebind, origin: origin.port })
  const allow = ['http://rebind.example/', 'https://rebind.example/']
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  expect((await send(pass, 'http://rebind.example/')).status).toBe(200)
  expect((await openTunnel(pass, 'rebind.example:443')).status).toBe(403)
  expect((await send(pass, 'http://rebind.example/')).status).toBe(200)
  expect(connections).toEqual([`${PUBLIC}:80`, `${PUBLIC}:80`])
  expect(resolved.length).toBe(3)
  expect(decisions.map(({ reason }) => reason)).toEqual([undefined, 'PRIVATE_ADDRESS', undefined])
})

test('a Host header does not choose the host', async () => {
  const origin = await startOrigin()
  const { proxy } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', policy)
  const bytes = `GET http://api.example/v1 HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1\r\nConnection: close\r\nProxy-Authorization: ${credentials(pass)}\r\n\r\n`
  expect(await sendRaw(proxy.port, bytes)).toMatch(/^HTTP\/1\.1 200 /)
  expect(origin.seen.map((request) => valuesOf(request, 'host'))).toEqual([['api.example']])
})

test('the second request of a connection is checked like the first', async () => {
  const origin = await startOrigin()
  const { proxy } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', policy)
  const all = get('http://api.example/v1') + get('http://evil.example/') + get('http://api.example/v1')
  const answers = await sendRaw(proxy.port, all.replaceAll('TOKEN', credentials(pass)))
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403'])
  expect(origin.seen.map(({ url }) => url)).toEqual(['/v1'])
})

test.each([
  ['a chunk size that is none', 'zz\r\nabc\r\n0\r\n\r\n'],
  ['a chunk longer than its size', '2\r\nabc\r\n0\r\n\r\n'],
  ['a signed chunk size', '-2\r\nab\r\n0\r\n\r\n'],
])('%s ends the request before the origin has all of it', async (_title, body) => {
  const origin = await startOrigin(() => undefined)
  const { proxy } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', policy)
  const bytes = post('Transfer-Encoding: chunked').replace('TOKEN', credentials(pass)) + body
  expect(await sendRaw(proxy.port, bytes)).toMatch(/^HTTP\/1\.1 400 /)
  expect(origin.bodies).toEqual([])
})

test('a tunnel that is asked for behind a request ends the connection', async () => {
  const origin = await startOrigin()
  const { proxy, connections } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', policy)
  const all = get('http://api.example/v1') + ask('CONNECT api.example:443 HTTP/1.1')
  expect(await sendRaw(proxy.port, all.replaceAll('TOKEN', credentials(pass)))).toBe('')
  expect(connections.filter((to) => to.endsWith(':443'))).toEqual([])
})

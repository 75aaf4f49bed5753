import { connect } from 'node:net'
import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import {
  credentials,
  eventually,
  openTunnel,
  PUBLIC,
  readAll,
  send,
  sendRaw,
  startOrigin,
  startProxy,
  startTcp,
} from './helpers.ts'

const names = { 'api.example': [PUBLIC], 'two.example': ['10.0.0.1', PUBLIC, '::1', '2606:4700::1'] }
const allow = ['http://api.example/v1', 'https://api.example/', 'http://two.example/']

test('a request reaches its origin at the checked address, and its response comes back', async () => {
  const origin = await startOrigin((_request, response) => {
    response.writeHead(201, 'Made', [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-kept', 'yes'],
    ])
    response.end('made')
  })
  const { proxy, decisions, ends, connections } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell-a', { network: 'allowlist', allow })

  const answer = await send(pass, 'http://api.example/v1/a/../b?secret=1', { method: 'PUT', body: 'hi' })

  expect(answer).toMatchObject({
    status: 201,
    headers: { 'set-cookie': ['a=1', 'b=2'], 'x-kept': 'yes' },
    body: 'made',
  })
  expect(origin.seen.map(({ method, url }) => [method, url])).toEqual([['PUT', '/v1/b?secret=1']])
  expect(origin.bodies).toEqual(['hi'])
  expect(connections).toEqual([`${PUBLIC}:80`])
  const shown = { cell: 'cell-a', method: 'PUT', url: 'http://api.example/v1/b' }
  expect(decisions).toEqual([{ allowed: true, ...shown, address: PUBLIC }])
  await eventually(() =>
    expect(ends).toEqual([{ ...shown, status: 201, sent: 2, received: 4, duration: expect.any(Number) }]),
  )
})

test('hop-by-hop and proxy headers do not reach the origin', async () => {
  const origin = await startOrigin()
  const { proxy } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  await send(pass, 'http://api.example/v1', {
    method: 'POST',
    body: 'abc',
    headers: {
      host: 'evil.example',
      connection: 'x-named, authorization, content-length, host',
      'x-named': '1',
      'x-kept': '2',
      'proxy-connection': 'keep-alive',
      te: 'trailers',
      'keep-alive': 'timeout=5',
    },
  })
  expect(origin.seen[0]?.rawHeaders).toEqual([
    ...['Host', 'api.example', 'x-kept', '2', 'Content-Length', '3', 'Connection', 'close'],
  ])
  expect(origin.bodies).toEqual(['abc'])
})

test.each(['GET', 'DELETE', 'OPTIONS', 'HEAD'])('the body of a %s stays one message', async (method) => {
  const origin = await startOrigin()
  const { proxy } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  const inner = 'GET /hidden HTTP/1.1\r\nHost: api.example\r\n\r\n'
  for (const framing of [{ 'transfer-encoding': 'chunked' }, { 'content-length': String(inner.length) }]) {
    await send(pass, 'http://api.example/v1', { method, body: inner, headers: framing })
  }
  expect(origin.seen.map(({ url }) => url)).toEqual(['/v1', '/v1'])
  expect(origin.bodies).toEqual([inner, inner])
})

test('a redirect is returned, not followed', async () => {
  const origin = await startOrigin((_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  })
  const { proxy, decisions } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  const { status, headers } = await send(pass, 'http://api.example/v1')
  expect([status, headers['location']]).toEqual([302, 'http://169.254.169.254/latest'])
  expect((await send(pass, 'http://169.254.169.254/latest')).status).toBe(403)
  expect([origin.seen.length, decisions.map(({ allowed }) => allowed)]).toEqual([1, [true, false]])
})

test('a tunnel carries bytes both ways, until both sides have ended', async () => {
  const port = await startTcp((socket) => {
    socket.write('banner ')
    socket.on('data', (piece) => socket.write(piece.toString().toUpperCase()))
    socket.on('end', () => socket.end(' bye'))
  })
  const { proxy, decisions, ends, connections } = await startProxy({ names, origin: port })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  const { status, socket } = await openTunnel(pass, 'api.example:443')
  const all = readAll(socket)
  socket.end('abc')
  expect([status, await all]).toEqual([200, 'banner ABC bye'])
  expect(connections).toEqual([`${PUBLIC}:443`])
  const shown = { cell: 'cell', method: 'CONNECT', url: 'api.example:443' }
  expect(decisions).toEqual([{ allowed: true, ...shown, address: PUBLIC }])
  await eventually(() =>
    expect(ends).toEqual([{ ...shown, sent: 3, received: 14, duration: expect.any(Number) }]),
  )
})

test('bytes sent with the request for a tunnel reach the origin first', async () => {
  const port = await startTcp((socket) => socket.pipe(socket))
  const { proxy } = await startProxy({ names, origin: port })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  const client = connect(proxy.port, '127.0.0.1')
  const all = readAll(client)
  client.write(
    `CONNECT api.example:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credentials(pass)}\r\n\r\nearly `,
  )
  client.end('late')
  expect(await all).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nearly late$/)
})

test('of several addresses only the permitted ones are used', async () => {
  const origin = await startOrigin()
  const { proxy, connections, decisions } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  expect((await send(pass, 'http://two.example/')).status).toBe(200)
  expect(connections).toEqual([`${PUBLIC} 2606:4700::1:80`])
  expect(decisions[0]?.address).toBe(PUBLIC)
})

test('an entry that is an address or localhost reaches that host, on the machine’s own connections', async () => {
  const origin = await startOrigin()
  const { proxy, resolved } = await startProxy({
    resolve: undefined,
    connect: undefined,
  })
  const here = [`http://127.0.0.1:${origin.port}/`, `http://localhost:${origin.port}/`]
  const pass = proxy.admit('cell', { network: 'allowlist', allow: here })
  const statuses = await Promise.all(here.map(async (url) => (await send(pass, url)).status))
  expect([statuses, resolved]).toEqual([[200, 200], []])
})

test('each cell has its own policy', async () => {
  const origin = await startOrigin()
  const { proxy, decisions } = await startProxy({ names, origin: origin.port })
  const open = proxy.admit('open', { network: 'allowlist', allow })
  const none = proxy.admit('none', { network: 'none' })
  expect((await send(open, 'http://api.example/v1')).status).toBe(200)
  expect(await send(none, 'http://api.example/v1')).toMatchObject({
    status: 403,
    body: 'egress refused: This sandbox has no network. (NETWORK_NONE)\n',
  })
  expect((await openTunnel(none, 'api.example:443')).status).toBe(403)
  expect(decisions.map(({ cell, reason }) => [cell, reason])).toEqual([
    ['open', undefined],
    ['none', 'NETWORK_NONE'],
    ['none', 'NETWORK_NONE'],
  ])
})

test('the events of a request contain neither query nor token, and a pass shows no token', async () => {
  const { proxy, decisions, ends } = await startProxy({ names })
  const pass = proxy.admit('cell', { network: 'none' })
  await send(pass, 'http://api.example/v1?key=hush')
  const { password } = new URL(pass.url)
  const shown =
    inspect([pass, proxy, decisions, ends], { depth: 9, showHidden: true }) + JSON.stringify([pass, proxy])
  expect([shown.includes('hush'), shown.includes(password), password.length > 40]).toEqual([
    false,
    false,
    true,
  ])
})

test('credentials that are missing, wrong or somebody else’s get the same 407', async () => {
  const { proxy, decisions } = await startProxy({ names })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  const other = proxy.admit('other', { network: 'allowlist', allow })
  const basic = (text: string) => `Proxy-Authorization: Basic ${Buffer.from(text).toString('base64')}\r\n`
  const [user, token] = [new URL(pass.url).username, new URL(pass.url).password]
  const tries = [
    '',
    'Proxy-Authorization: \r\n',
    'Proxy-Authorization: Bearer abc\r\n',
    `Authorization: ${credentials(pass)}\r\n`,
    basic(''),
    basic(user),
    basic(`${user}:`),
    basic(`nobody:${token}`),
    basic(`${user}:${token}x`),
    basic(`${user}:${token.slice(0, -1)}`),
    basic(`${user}:${new URL(other.url).password}`),
    `Proxy-Authorization: ${credentials(pass)}\r\n${basic(`${user}:x`)}`,
    `${basic(`${user}:x`)}Proxy-Authorization: ${credentials(pass)}\r\n`,
  ]
  const answers = new Set<string>()
  for (const line of tries) {
    for (const start of ['GET http://api.example/v1', 'CONNECT api.example:443']) {
      const answer = await sendRaw(proxy.port, `${start} HTTP/1.1\r\nHost: api.example\r\n${line}\r\n`)
      answers.add(answer.replaceAll(/^date: .*\r\n/gim, ''))
    }
  }
  expect([...answers].length).toBe(1)
  expect([...answers][0]).toMatch(/^HTTP\/1\.1 407 .*\r\nproxy-authenticate: Basic realm="egress"\r\n/s)
  expect(new Set(decisions.map(({ allowed, cell, reason }) => `${allowed} ${cell} ${reason}`))).toEqual(
    new Set(['false undefined UNAUTHORIZED']),
  )
})

test('a connection serves the cell it was first used by, and no other', async () => {
  const origin = await startOrigin()
  const { proxy } = await startProxy({ names, origin: origin.port })
  const [one, two] = ['one', 'two'].map((id) => proxy.admit(id, { network: 'allowlist', allow }))
  if (one === undefined || two === undefined) throw new Error('no pass')
  const get = (pass: typeof one) =>
    `GET http://api.example/v1 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credentials(pass)}\r\n\r\n`
  const answers = await sendRaw(proxy.port, get(one) + get(one) + get(two))
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 407'])
})

test('a listener that throws breaks nothing, and is a warning', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const origin = await startOrigin()
  const fail = () => {
    throw new Error('listener')
  }
  const { proxy } = await startProxy({ names, origin: origin.port, onDecision: fail, onEnd: fail })
  const pass = proxy.admit('cell', { network: 'allowlist', allow })
  expect((await send(pass, 'http://api.example/v1')).status).toBe(200)
  await eventually(() => expect(warned).toHaveBeenCalledTimes(2))
  warned.mockRestore()
})

test('200 requests at once, of two cells, all get their own answer', async () => {
  const origin = await startOrigin((request, response) => response.end(`${request.url}`.repeat(1000)))
  const { proxy, ends } = await startProxy({ names, origin: origin.port })
  const passes = ['one', 'two'].map((id) => proxy.admit(id, { network: 'allowlist', allow }))
  const urls = Array.from({ length: 100 }, (_, index) => `/v1/${index}`)
  const bodies = await Promise.all(
    passes.flatMap((pass) => urls.map(async (path) => (await send(pass, `http://api.example${path}`)).body)),
  )
  expect(bodies).toEqual([...urls, ...urls].map((path) => path.repeat(1000)))
  await eventually(() => expect(ends.length).toBe(200))
})

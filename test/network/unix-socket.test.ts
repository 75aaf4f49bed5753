import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { removeLeftSockets } from '../../src/network/left-sockets.ts'
import { startRelay } from '../../src/network/relay/relay.ts'
import { SandboxClosedError } from '../../src/sandbox/errors.ts'
import { leftSocket, makeOlder } from '../support/left-socket.ts'
import {
  credentials,
  eventually,
  openTunnel,
  PUBLIC,
  readAll,
  send,
  startOrigin,
  startProxy,
  startTcp,
} from './helpers.ts'

const names = { 'api.example': [PUBLIC] }
const policy = { network: 'allowlist', allow: ['http://api.example/', 'https://api.example/'] } as const

/** A pass whose address is that of a relay to the proxy's Unix socket. */
async function startRelayed(origin: number) {
  const test = await startProxy({ names, origin })
  const socketPath = await test.proxy.socketPath()
  const server = await startRelay(0, socketPath)
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  const url = new URL(test.proxy.admit('cell', policy).url)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return { ...test, socketPath, pass: { url: url.href } }
}

test('requests reach the proxy through a relay and its Unix socket, each under its policy', async () => {
  const origin = await startOrigin((request, response) => {
    request.on('end', () => response.end('x'.repeat(500_000)))
  })
  const { pass, decisions } = await startRelayed(origin.port)
  const answer = await send(pass, 'http://api.example/a', { method: 'POST', body: 'y'.repeat(500_000) })
  expect([answer.status, answer.body.length, origin.bodies[0]?.length]).toEqual([200, 500_000, 500_000])
  expect((await send(pass, 'http://other.example/')).status).toBe(403)
  const wrong = { url: pass.url.replace(/:[^:@]+@/, ':wrong@') }
  expect((await send(wrong, 'http://api.example/')).status).toBe(407)
  expect(decisions.map(({ allowed, cell }) => [allowed, cell])).toEqual([
    [true, 'cell'],
    [false, 'cell'],
    [false, undefined],
  ])
})

test('a tunnel goes through a relay both ways, and its end does', async () => {
  const echo = await startTcp((socket) => socket.pipe(socket))
  const { pass } = await startRelayed(echo)
  const { status, socket } = await openTunnel(pass, 'api.example:443')
  const all = readAll(socket)
  socket.end('over and out')
  expect([status, await all]).toEqual([200, 'over and out'])
})

test('an origin is told when a client behind a relay hangs up', async () => {
  let hungUp = false
  const silent = await startTcp((socket) => {
    socket.resume().on('end', () => {
      hungUp = true
    })
  })
  const { pass } = await startRelayed(silent)
  const { socket } = await openTunnel(pass, 'api.example:443')
  socket.resetAndDestroy()
  await eventually(() => expect(hungUp).toBe(true))
})

test('the socket is in a directory of this user’s alone, is one, and is removed with the proxy', async () => {
  const { proxy } = await startProxy({ names })
  const [path, again] = await Promise.all([proxy.socketPath(), proxy.socketPath()])
  expect([path, statSync(dirname(path)).mode & 0o777, statSync(path).isSocket()]).toEqual([
    again,
    0o700,
    true,
  ])
  await proxy.close()
  expect(existsSync(dirname(path))).toBe(false)
  await expect(proxy.socketPath()).rejects.toThrow(SandboxClosedError)
})

test('close ends the connections on the socket', async () => {
  const { proxy } = await startProxy({ names })
  const socket = connect(await proxy.socketPath())
  await once(socket, 'connect')
  socket.write('GET http://api.example/ HTTP/1.1')
  const ended = readAll(socket.on('error', () => socket.destroy()))
  await proxy.close()
  await ended
})

test('a process that ends without closing its proxy leaves no directory', () => {
  const program = `const { EgressProxy } = await import('${new URL('../../src/network/egress-proxy.ts', import.meta.url)}')
    const proxy = await EgressProxy.start(); console.log(await proxy.socketPath())`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    {
      encoding: 'utf8',
    },
  )
  expect(stderr).toBe('')
  expect(stdout).toMatch(/proxy\.sock\n$/)
  expect(existsSync(dirname(stdout.trim()))).toBe(false)
})

test('a directory for temporary files whose path is too long for a socket is not used', async () => {
  vi.stubEnv('TMPDIR', `/tmp/${'x/'.repeat(60)}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { proxy } = await startProxy({ names })
  expect(await proxy.socketPath()).toMatch(/^\/tmp\/shell-runtime-egress-\w+\/proxy\.sock$/)
})

test('a directory for temporary files that is not there is named with what to do', async () => {
  vi.stubEnv('TMPDIR', '/nowhere/at/all')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { proxy } = await startProxy({ names })
  await expect(proxy.socketPath()).rejects.toMatchObject({
    code: 'IO_ERROR',
    message: expect.stringMatching(/'\/nowhere\/at\/all'.*set TMPDIR/),
  })
})

test('what shows no token at the socket is refused', async () => {
  const { proxy, decisions } = await startProxy({ names })
  const socket = connect(await proxy.socketPath())
  socket.write('GET http://api.example/ HTTP/1.1\r\nhost: api.example\r\n\r\n')
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 407 /)
  expect(decisions.map(({ reason }) => reason)).toEqual(['UNAUTHORIZED'])
  expect(credentials(proxy.admit('cell', policy))).toMatch(/^Basic /)
})

test('the directory of a process that was killed is removed, and those of one that lives or has just begun are not', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'left-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const make = (end: string) => mkdtemp(join(parent, `shell-runtime-egress-${end}`))
  const [left, lives, begins] = await Promise.all([leftSocket(parent), make('lives'), make('begins')])
  const server = createServer().listen(`${lives}/proxy.sock`)
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  await makeOlder(lives)
  const young = await leftSocket(parent)
  await utimes(young, new Date(), new Date())
  await removeLeftSockets(parent)
  expect([left, lives, begins, young].map((directory) => existsSync(directory))).toEqual([
    false,
    true,
    true,
    true,
  ])
})

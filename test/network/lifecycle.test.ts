import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { SandboxClosedError, SandboxConfigError } from '../../src/sandbox/errors.ts'
import { program } from '../fixtures/program.ts'
import {
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

const names = { 'api.example': [PUBLIC], 'b.example': [PUBLIC] }
const policy = {
  network: 'allowlist',
  allow: ['http://api.example/', 'https://api.example/', 'https://b.example/'],
} as const

/** Runs `fixtures/proxy-child.ts` in a process of its own. */
function runChild(how: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program('test/network/fixtures/proxy-child.ts'), how],
      { timeout: 30_000, killSignal: 'SIGKILL' },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

const silent = () => startTcp((socket) => socket.on('data', () => undefined))

test('revoking a cell ends its requests and tunnels, and no other cell’s', async () => {
  const { proxy, ends } = await startProxy({ names, origin: await silent() })
  const [pass, other] = [proxy.admit('cell', policy), proxy.admit('other', policy)]
  const { socket } = await openTunnel(pass, 'api.example:443')
  const kept = await openTunnel(other, 'api.example:443')
  const ended = readAll(socket)
  const pending = send(pass, 'http://api.example/').catch((error: Error) => error)
  await eventually(async () => expect((await openTunnel(other, 'api.example:443')).status).toBe(200))
  pass.revoke()
  pass.revoke()
  await Promise.all([ended, pending])
  expect(ends.map(({ cell, reason }) => [cell, reason])).toEqual([
    ['cell', 'REVOKED'],
    ['cell', 'REVOKED'],
  ])
  expect((await send(pass, 'http://api.example/')).status).toBe(407)
  expect([kept.socket.destroyed, (await openTunnel(other, 'api.example:443')).status]).toEqual([false, 200])
})

test('a new policy applies to later requests, and ends tunnels that it does not allow', async () => {
  const { proxy, ends } = await startProxy({ names, origin: await silent() })
  const pass = proxy.admit('cell', policy)
  const lost = await openTunnel(pass, 'api.example:443')
  const kept = await openTunnel(pass, 'b.example:443')
  const ended = readAll(lost.socket)
  pass.update({ network: 'allowlist', allow: ['https://b.example/'] })
  await ended
  expect(ends).toMatchObject([{ url: 'api.example:443', reason: 'POLICY_CHANGED' }])
  expect((await openTunnel(pass, 'api.example:443')).status).toBe(403)
  expect([kept.socket.destroyed, (await openTunnel(pass, 'b.example:443')).status]).toEqual([false, 200])
})

test('a policy that is refused changes nothing', async () => {
  const { proxy } = await startProxy({ names, origin: await silent() })
  const pass = proxy.admit('cell', policy)
  expect(() => pass.update({ network: 'allowlist', allow: ['nonsense'] })).toThrow(SandboxConfigError)
  expect(() => proxy.admit('cell', { network: 'allowlist', allow: ['nonsense'] })).toThrow(SandboxConfigError)
  expect((await openTunnel(pass, 'api.example:443')).status).toBe(200)
})

test('a tunnel that is being opened is ended by a policy that does not allow it', async () => {
  let resolveName: (answers: { address: string; family: number }[]) => void = () => undefined
  const { proxy, decisions, connections } = await startProxy({
    origin: await silent(),
    resolve: () => new Promise((resolve) => (resolveName = resolve)),
  })
  const pass = proxy.admit('cell', policy)
  const opening = openTunnel(pass, 'api.example:443')
  await eventually(() => expect(resolveName.length).toBe(1))
  pass.update({ network: 'none' })
  resolveName([{ address: PUBLIC, family: 4 }])
  expect((await opening).status).toBe(403)
  expect([connections, decisions.map(({ reason }) => reason)]).toEqual([[], ['POLICY_CHANGED']])
})

test('close ends every connection, once, and nothing is admitted any more', async () => {
  const { proxy, ends } = await startProxy({ names, origin: await silent() })
  const pass = proxy.admit('cell', policy)
  const { socket } = await openTunnel(pass, 'api.example:443')
  const idle = sendRaw(proxy.port, '')
  const pending = send(pass, 'http://api.example/').catch((error: Error) => error)
  await eventually(async () => expect((await openTunnel(pass, 'api.example:443')).status).toBe(200))
  await Promise.all([proxy.close(), proxy.close(), readAll(socket), idle, pending])
  expect(ends.length).toBe(3)
  expect(() => proxy.admit('cell', policy)).toThrow(SandboxClosedError)
  await expect(send(pass, 'http://api.example/')).rejects.toThrow('ECONNREFUSED')
})

test.each(['close', 'leave'])(
  'a process that has to %s a proxy with open connections ends by itself',
  async (how) => {
    expect(await runChild(how)).toEqual({
      code: 0,
      stdout: how === 'close' ? 'open\n[]\n' : 'open\n',
      stderr: '',
    })
  },
)

test('an origin and its connection end with the exchange', async () => {
  const origin = await startOrigin((_request, response) => {
    response.end('x'.repeat(1_000_000))
  })
  const { proxy, ends } = await startProxy({ names, origin: origin.port })
  const answer = await send(proxy.admit('cell', policy), 'http://api.example/')
  expect(answer.body.length).toBe(1_000_000)
  await eventually(() => expect(ends).toMatchObject([{ received: 1_000_000 }]))
  await eventually(() => expect(origin.seen[0]?.socket.destroyed).toBe(true))
})

import { Server } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SandboxTimeoutError, WorkerLostError } from '../../../../src/index.ts'
import { EgressProxy } from '../../../../src/network/egress-proxy.ts'
import { until, within } from '../../../faults/helpers.ts'
import { result } from '../../../strands-shell/support/expected.ts'
import { startServer } from '../../../strands-shell/support/http-server.ts'
import { cellHost } from './helpers.ts'

const works = result({ stdout: 'works\n' })

/** The servers that start to listen in this process during the test. */
function watchServers(): readonly Server[] {
  const servers: Server[] = []
  const { listen } = Server.prototype
  const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (
    this: Server,
    ...args: unknown[]
  ) {
    servers.push(this)
    return Reflect.apply(listen, this, args)
  })
  onTestFinished(() => spy.mockRestore())
  return servers
}

it('a proxy that listens no more fails requests, and nothing else', async () => {
  const server = await startServer()
  const servers = watchServers()
  const { host } = cellHost({ maxCells: 2 })
  const allowedUrls = [`${server.origin}/`]
  const sandbox = await host.open({ allowedUrls })
  expect((await sandbox.execute(`curl -s ${server.origin}/x`)).stdout).toBe('hello /x\n')
  expect(servers.length).toBeGreaterThan(0)
  await Promise.all(servers.map((each) => new Promise((resolve) => each.close(resolve))))
  expect(await sandbox.execute(`curl -s ${server.origin}/x`)).toEqual(result({ exitCode: 6 }))
  expect((await sandbox.execute(`curl ${server.origin}/x`)).stderr).toBe(
    `curl: (6) error sending request for url (${server.origin}/x)\n`,
  )
  expect(await sandbox.execute('echo works')).toEqual(works)
  expect(await (await host.open({ allowedUrls: [] })).execute('echo works')).toEqual(works)
  await within(60, host.close())
  expect(server.seen.length).toBe(1)
})

it('a connection that the proxy cannot accept does not end the service', async () => {
  const server = await startServer()
  const servers = watchServers()
  const sandbox = await cellHost().host.open({ allowedUrls: [`${server.origin}/`] })
  const error = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' })
  expect(servers[0]?.emit('error', error)).toBe(true)
  expect((await sandbox.execute(`curl -s ${server.origin}/x`)).stdout).toBe('hello /x\n')
})

it('a proxy that could not be started is started for the next sandbox', async () => {
  const spy = vi.spyOn(EgressProxy, 'start').mockRejectedValueOnce(new Error('listen EADDRNOTAVAIL'))
  onTestFinished(() => spy.mockRestore())
  const { host } = cellHost()
  await expect(host.open()).rejects.toThrow('EADDRNOTAVAIL')
  expect((await (await host.open()).execute('curl -s http://public.example/')).stdout).toContain(
    'NOT_ALLOWED',
  )
})

it('no cell is started without its proxy: neither while the host closes, nor after', async () => {
  const { host } = cellHost({ warm: 1 })
  const opening = host.open()
  opening.catch(() => undefined)
  await within(60, host.close())
  await expect(opening).rejects.toMatchObject({ code: 'CLOSED' })
  await expect(host.open()).rejects.toMatchObject({ code: 'CLOSED' })
  expect(host.stats()).toMatchObject({ cells: 0, workers: 0 })
})

it('an origin that never answers, or never ends, blocks neither neighbours nor the service', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x')
  const server = await startServer((request, response) => {
    if (request.url !== '/endless') return
    const more = () => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', more)
    }
    more()
  })
  const { host, ends } = cellHost({ maxCells: 1 })
  const config = { allowedUrls: [`${server.origin}/`], onInterrupt: 'reset' } as const
  const [slow, endless, neighbour] = await Promise.all([
    host.open(config),
    host.open(config),
    host.open(config),
  ])
  const before = process.memoryUsage().rss
  const hung = slow
    .execute(`curl -s ${server.origin}/slow`, { timeout: 1.5 })
    .catch((error: unknown) => error)
  let flooded = endless.execute(`curl -s ${server.origin}/endless > /dev/null`)
  const latencies: number[] = []
  for (let count = 0; count < 40; count += 1) {
    const start = performance.now()
    expect(await neighbour.execute('echo works')).toEqual(works)
    latencies.push(performance.now() - start)
    if (count === 20)
      flooded = flooded.then(() => endless.execute(`curl -s ${server.origin}/endless > /dev/null`))
  }
  expect((await flooded).exitCode).not.toBe(0)
  expect(await hung).toBeInstanceOf(SandboxTimeoutError)
  expect(latencies.filter((latency) => latency > 10_000)).toEqual([])
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20)
  expect(ends.map(({ url, reason }) => [new URL(url).pathname, reason])).toContainEqual([
    '/endless',
    'ABORTED',
  ])
  expect(await neighbour.execute('echo works')).toEqual(works)
})

it.each(['close', 'drain'] as const)('%s ends the proxy, and what goes through it', async (how) => {
  const server = await startServer(() => undefined)
  const servers = watchServers()
  const { host, ends } = cellHost()
  const sandbox = await host.open({ allowedUrls: [`${server.origin}/`] })
  const hung = sandbox.execute(`curl -s ${server.origin}/`)
  const ended = hung.catch((error: unknown) => error)
  await until(() => server.seen.length === 1)
  expect(servers[0]?.listening).toBe(true)
  await within(60, how === 'close' ? host.close() : host.drain({ grace: 0.1 }))
  expect(await ended).toMatchObject({ code: how === 'close' ? 'WORKER_LOST' : 'CLOSED' })
  expect(servers.filter(({ listening }) => listening)).toEqual([])
  await vi.waitFor(() => expect(ends.length).toBe(1))
  expect(await ended).toBeInstanceOf(how === 'close' ? WorkerLostError : Error)
})

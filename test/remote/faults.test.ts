import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RemoteSandbox } from '../../src/remote/index.ts'
import { until } from '../mcp/helpers.ts'
import { startService, temporaryDirectory, token } from '../service/helpers.ts'
import { allEnded, held } from '../support/all-ended.ts'
import { startProxy } from './proxy.ts'
import { startServer } from './server-process.ts'

/** Notes that it runs, and waits until the host says that it may end. */
const waiting = 'echo begun; echo run >> /h/runs; while ! [ -e /h/go ]; do sleep 0.02; done; cat /h/runs'

/** A directory of the host that a template shows at /h. */
async function sharedDirectory() {
  const source = await temporaryDirectory()
  const template = { shell: 'bash' as const, binds: [{ source, destination: '/h' }] }
  return {
    templates: { default: template },
    go: () => writeFile(join(source, 'go'), ''),
    runs: () => readFile(join(source, 'runs'), 'utf8').catch(() => ''),
  }
}

test('a command whose connection is cut runs once, and its result arrives', async () => {
  const { templates, go, runs } = await sharedDirectory()
  const service = await startService({ templates })
  const proxy = await startProxy(service.url)
  const sandbox = await RemoteSandbox.open({}, { url: proxy.url, token })
  const command = held(sandbox.execute(waiting))
  await until(async () => (await runs()) !== '')
  for (let times = 0; times < 3; times += 1) {
    await until(() => proxy.connections > 0)
    proxy.cut()
  }
  await until(() => proxy.connections > 0)
  await go()
  expect((await command).stdout).toBe('begun\nrun\n')
  expect(await runs()).toBe('run\n')
})

test('a stream whose connection is cut goes on: each piece arrives once', async () => {
  const { templates, go, runs } = await sharedDirectory()
  const proxy = await startProxy((await startService({ templates })).url)
  const sandbox = await RemoteSandbox.open({}, { url: proxy.url, token })
  let output = ''
  let result: unknown
  for await (const event of sandbox.executeStreaming(waiting)) {
    if (event.type === 'executionResult') result = event
    else output += event.data
    if (output !== 'begun\n' || event.type === 'executionResult') continue
    proxy.cut()
    await until(() => proxy.connections === 0)
    await go()
  }
  expect(output).toBe('begun\nrun\n')
  expect(result).toMatchObject({ stdout: 'begun\nrun\n', exitCode: 0 })
  expect(await runs()).toBe('run\n')
})

test('an answer that is lost on its way is fetched, and the command runs no second time', async () => {
  const { templates, go, runs } = await sharedDirectory()
  await go()
  const proxy = await startProxy((await startService({ templates })).url)
  const sandbox = await RemoteSandbox.open({}, { url: proxy.url, token })
  proxy.holdsAnswers = true
  const command = held(sandbox.execute(waiting))
  const append = held(sandbox.appendFile('/h/runs', Buffer.from('appended\n')))
  await until(async () => (await runs()) === 'run\nappended\n')
  proxy.holdsAnswers = false
  proxy.cut()
  expect((await command).stdout).toBe('begun\nrun\n')
  await append
  expect(await runs()).toBe('run\nappended\n')
})

test('a service that cannot be reached is looked for, and the call says that it has not run', async () => {
  const service = await startService()
  const proxy = await startProxy(service.url)
  const sandbox = await RemoteSandbox.open({}, { url: proxy.url, token, reconnectTime: 0.2 })
  await service.close({ grace: 0 })
  proxy.cut()
  const failure = await RemoteSandbox.open({}, { url: service.url, token, reconnectTime: 0.2 }).catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', started: false })
  expect(String(failure)).not.toContain(token)
  await expect(sandbox.stat('/')).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
})

test('a service that was killed has what it answered, and a call that it had begun is not run again', async () => {
  const { templates, go, runs } = await sharedDirectory()
  const data = await temporaryDirectory()
  const first = await startServer({ templates, data })
  onTestFinished(() => first.stop('SIGKILL'))
  const { url } = first
  const sandbox = await RemoteSandbox.getOrOpen('a', {}, { url, token: first.token })
  await sandbox.execute('cd /tmp; x=kept; echo data > f')
  await sandbox.writeText('/tmp/g', 'more')
  const lost = sandbox.execute(waiting).catch((error: unknown) => error)
  await until(async () => (await runs()) !== '')
  await first.stop('SIGKILL')
  const second = await startServer({ templates, data, port: Number(new URL(url).port) })
  onTestFinished(() => second.stop('SIGKILL'))
  expect(await lost).toMatchObject({ code: 'CONNECTION_FAILED', started: true })
  await go()
  expect(await runs()).toBe('run\n')
  expect((await sandbox.info()).status).toBe('stored')
  expect((await sandbox.execute('echo $x; pwd; cat f g')).stdout).toBe('kept\n/tmp\ndata\nmore')
  await sandbox.close()
})

test('a service that is told to stop lets a call end, refuses others, and the next one goes on', async () => {
  const { templates, go, runs } = await sharedDirectory()
  const data = await temporaryDirectory()
  const first = await startServer({ templates, data })
  const { url } = first
  const sandbox = await RemoteSandbox.getOrOpen('a', {}, { url, token: first.token })
  const command = held(sandbox.execute(`x=kept; ${waiting}`))
  await until(async () => (await runs()) !== '')
  const stopped = held(first.stop('SIGTERM'))
  const ready = () =>
    fetch(`${url}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    )
  await until(async () => (await ready()) !== 200)
  await go()
  expect((await command).stdout).toBe('begun\nrun\n')
  await stopped
  const second = await startServer({ templates, data, port: Number(new URL(url).port) })
  onTestFinished(() => second.stop('SIGKILL'))
  expect((await sandbox.execute('echo $x')).stdout).toBe('kept\n')
})

test('changes end with their signal and their timeout', async () => {
  const proxy = await startProxy((await startService()).url)
  const sandbox = await RemoteSandbox.open({}, { url: proxy.url, token })
  await expect(sandbox.changes({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  proxy.holdsAnswers = true
  const stop = new AbortController()
  const aborted = expect(sandbox.changes({ signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' })
  const late = expect(sandbox.changes({ timeout: 0.01 })).rejects.toMatchObject({ code: 'TIMEOUT' })
  stop.abort()
  await allEnded([aborted, late])
})

test('leaving a stream early, and an abort, stop the command of the service', async () => {
  const { templates } = await sharedDirectory()
  const service = await startService({ templates })
  const sandbox = await RemoteSandbox.open({ id: 'a' }, { url: service.url, token })
  for await (const event of sandbox.executeStreaming(waiting)) {
    expect(event).toMatchObject({ data: 'begun\n' })
    break
  }
  await until(() => service.host.get('a')?.pending === 0)
  expect((await sandbox.execute('echo on')).stdout).toBe('on\n')
})

test('a service without descriptors goes on when there are some again, and no request is left without an end', async () => {
  const descriptors = 160
  const server = await startServer({}, descriptors)
  onTestFinished(() => server.stop('SIGKILL'))
  const { url } = server
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body: object) =>
    fetch(`${url}/v1/sandboxes${path}`, { method, headers, body: JSON.stringify(body) })
  await send('PUT', '/a', {})
  const run = async () => await (await send('POST', '/a/execute', { command: 'echo on' })).text()
  expect(await run()).toContain('on')
  let refused = 0
  const sockets = Array.from({ length: 2 * descriptors }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined).on('close', () => (refused += 1))
    return socket.resume()
  })
  await until(() => refused > 0)
  const requests = ['b', 'c', 'd', 'e'].flatMap((id) => [send('PUT', `/${id}`, {}), run()])
  const ends = Promise.allSettled(requests)
  await Promise.race([ends, new Promise((resolve) => setTimeout(resolve, 500))])
  for (const socket of sockets) socket.destroy()
  expect(await ends).toHaveLength(requests.length)
  await until(async () => (await run().catch(() => '')).includes('on'))
  expect((await send('PUT', '/z', {})).status).toBe(201)
  expect(await (await send('POST', '/z/execute', { command: 'echo z' })).text()).toContain('z')
})

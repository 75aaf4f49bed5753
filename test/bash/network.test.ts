import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type BashConfig, BashSandbox } from '../../src/bash/index.ts'
import type { Isolation, ShellHost } from '../../src/index.ts'
import { durationOf, endOf, makeHost, suiteHost, timedOut, until, within } from '../faults/helpers.ts'
import { startTlsServer } from '../places/cells/egress/fixtures/tls-server.ts'
import { cellHost, watchProxyUrls } from '../places/cells/egress/helpers.ts'
import { BEARER, CANARY, everythingSaidBy, tracesIn } from '../secrets/support/canary.ts'
import { result } from '../strands-shell/support/expected.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { tierLevels } from '../support/describe-engines.ts'

function denied(url: string) {
  return result({
    exitCode: 7,
    stderr: `curl: (7) access denied: the allowlist of this sandbox does not name ${url}\n`,
  })
}

describe.each(tierLevels)('the network of a bash sandbox (%s)', (isolation) => {
  const ofSuite = suiteHost({ isolation })

  async function open(config: BashConfig = {}, host: ShellHost = ofSuite): Promise<BashSandbox> {
    const sandbox = await BashSandbox.open(config, { host })
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  it('is off without allowedUrls', async () => {
    const sandbox = await open()
    expect(await sandbox.execute('curl -s http://127.0.0.1/')).toEqual(
      result({ exitCode: 127, stderr: 'bash: curl: command not found\n' }),
    )
    expect((await sandbox.execute('cat < /dev/tcp/127.0.0.1/80')).exitCode).not.toBe(0)
    expect(sandbox.summary).toMatchObject({ network: 'none', allowedUrls: [] })
  })

  it('reaches what allowedUrls names, by every method, and nothing else: no public host either', async () => {
    const [server, other] = await Promise.all([startServer(), startServer()])
    const sandbox = await open({ allowedUrls: [`${server.origin}/api`] })
    expect(await sandbox.execute(`curl -s ${server.origin}/api/x | tr a-z A-Z`)).toEqual(
      result({ stdout: 'HELLO /API/X\n' }),
    )
    await sandbox.execute(
      `echo up > file; curl -s -T file ${server.origin}/api/put; curl -sd a=b ${server.origin}/api`,
    )
    expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/x', ''],
      ['PUT', '/api/put', 'up\n'],
      ['POST', '/api', 'a=b'],
    ])
    for (const url of [
      `${server.origin}/apix`,
      `${server.origin}/`,
      `${other.origin}/api`,
      'http://93.184.216.34/',
      'http://public.example/',
    ])
      expect(await sandbox.execute(`curl ${url}`)).toEqual(denied(url))
    expect([server.seen.length, other.seen]).toEqual([3, []])
    expect(await sandbox.describe()).toMatchObject({ allowedUrls: [`${server.origin}/api`], credentials: [] })
  })

  it('follows no redirect to what is not allowed', async () => {
    const inner = await startServer()
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: `${inner.origin}/secret` }).end()
    })
    const sandbox = await open({ allowedUrls: [server.origin] })
    expect(await sandbox.execute(`curl -L ${server.origin}/`)).toEqual(denied(`${inner.origin}/secret`))
    expect(inner.seen).toEqual([])
  })

  it('holds the path of an https entry', async () => {
    const origin = await startTlsServer((_request, response) => response.end())
    const sandbox = await open({ allowedUrls: [`${origin}/api`] })
    expect(await sandbox.execute(`curl ${origin}/other`)).toEqual(denied(`${origin}/other`))
    // The certificate of the test is signed by itself.
    expect((await sandbox.execute(`curl -s ${origin}/api`)).exitCode).toBe(60)
  })

  it('bounds what a response brings', async () => {
    const server = await startServer((_request, response) => response.end('x'.repeat(2_000_000)))
    const sandbox = await open({ allowedUrls: [server.origin], limits: { maxFileSize: 1_000_000 } })
    expect((await sandbox.execute(`curl -s ${server.origin}/ > file`)).exitCode).toBe(63)
    const cut = await open({ allowedUrls: [server.origin], limits: { maxOutput: 1_000 } })
    const { stdout, stderr } = await cut.execute(`curl -s ${server.origin}/`)
    expect([stdout.length, stderr]).toEqual([
      1_000,
      'bash: stdout truncated: kept 1000 of 2000000 bytes (limits.maxOutput)\n',
    ])
  })

  it('a request ends with the deadline, the timeout and the abort of its command, and the session lives', async () => {
    let held = 0
    const server = await startServer((request) => {
      held += 1
      request.socket.on('close', () => {
        held -= 1
      })
    })
    const sandbox = await open({ allowedUrls: [server.origin], timeout: 1 })
    await sandbox.execute('kept=1')
    expect((await sandbox.execute(`curl -s ${server.origin}/; echo no`)).exitCode).toBe(124)
    const patient = await open({ allowedUrls: [server.origin], timeout: 60 })
    await patient.execute('kept=1')
    expect(await endOf(patient.execute(`curl -s ${server.origin}/`, { timeout: 0.2 }))).toEqual(timedOut)
    expect(await within(60, patient.execute('echo $kept'))).toEqual(result({ stdout: '1\n' }))
    const controller = new AbortController()
    const before = server.seen.length
    const running = endOf(patient.execute(`curl -s ${server.origin}/`, { signal: controller.signal }))
    await until(() => server.seen.length > before)
    controller.abort()
    expect(await running).toMatchObject({ code: 'ABORTED' })
    for (const one of [sandbox, patient])
      expect([await within(60, one.execute('echo $kept')), one.generation]).toEqual([
        result({ stdout: '1\n' }),
        1,
      ])
    await until(() => held === 0)
  })

  it('a sandbox that is closed under a request lets go of it', async () => {
    let held = 0
    const server = await startServer((request) => {
      held += 1
      request.socket.on('close', () => {
        held -= 1
      })
    })
    const sandbox = await open({ allowedUrls: [server.origin], timeout: 60 })
    const running = endOf(sandbox.execute(`curl -s ${server.origin}/`))
    await until(() => held === 1)
    expect(await durationOf(() => within(60, sandbox.close()))).toBeLessThan(8_000)
    expect(await running).toMatchObject({ code: 'CLOSED' })
    await until(() => held === 0)
  })

  it('a sandbox’s network is its own: a neighbour on the host has another allowlist and no credential', async () => {
    const [a, b] = await Promise.all([startServer(), startServer()])
    const host = makeHost({ isolation, maxCells: 2 })
    const first = await open(
      { allowedUrls: [a.origin], credentials: [{ url: a.origin, token: CANARY }] },
      host,
    )
    const second = await open({ allowedUrls: [b.origin, `${a.origin}/shared`] }, host)
    await Promise.all([
      first.execute(`curl -s ${a.origin}/1 ${b.origin}/1`),
      second.execute(`curl -s ${a.origin}/2 ${a.origin}/shared ${b.origin}/2`),
    ])
    expect(a.seen.map(({ url, authorization }) => [url, authorization]).sort()).toEqual([
      ['/1', BEARER],
      ['/shared', undefined],
    ])
    expect(b.seen.map(({ url, authorization }) => [url, authorization])).toEqual([['/2', undefined]])
  })

  it('a credential is in nothing that the sandbox and its host say, and its variable is read at each open', async () => {
    vi.stubEnv('SECRETS_CANARY', CANARY)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const own = await startServer((request, response) => {
      if (request.url === '/die') request.socket.destroy()
      else if (request.url !== '/hang') response.writeHead(401).end('no')
    })
    const host = makeHost({ isolation })
    const told: unknown[] = []
    for (const event of ['opened', 'closed', 'lost', 'reopened', 'egress', 'egressEnd'] as const)
      host.on(event, (data) => told.push(data))
    const config = {
      allowedUrls: [own.origin],
      credentials: [{ url: own.origin, envVar: 'SECRETS_CANARY' }],
      onInterrupt: 'reset',
      timeout: 1,
    } as const
    const sandbox = await open(config, host)
    const said: unknown[] = [sandbox, sandbox.summary, String(sandbox), await sandbox.describe()]
    for (const command of [
      `curl -v -i ${own.origin}/; curl -v ${own.origin}/die; curl -f ${own.origin}/`,
      'env; set; export -p; declare -p; cat /proc/*/environ; ls -lR /proc /dev /tmp; echo $HTTP_PROXY',
      `curl ${own.origin}/hang`,
    ])
      said.push(await sandbox.execute(command))
    const controller = new AbortController()
    const hanging = endOf(sandbox.execute(`curl -v ${own.origin}/hang`, { signal: controller.signal }))
    await until(() => own.seen.length === 5)
    controller.abort()
    said.push(await hanging)
    said.push(await sandbox.execute(`curl -v ${own.origin}/`), host.stats(), host.list(), host, told)
    said.push(
      await BashSandbox.open(
        { ...config, credentials: [{ url: `${own.origin}/${CANARY}`, token: CANARY }] },
        { host },
      ).catch((error: unknown) => error),
    )
    expect(new Set(own.seen.map(({ authorization }) => authorization))).toEqual(new Set([BEARER]))
    expect(own.seen.length).toBe(6)
    expect(tracesIn(everythingSaidBy(said))).toEqual([])
  })
})

describe('the network of a bash sandbox', () => {
  it('in a cell goes through the proxy of its host, which tells of every request', async () => {
    const server = await startServer()
    const { host, decisions, ends } = cellHost()
    const sandbox = await BashSandbox.open({ allowedUrls: [server.origin] }, { host })
    await sandbox.execute(`curl -s '${server.origin}/x?key=value' http://evil.example/ https://evil.example/`)
    expect(decisions.map(({ allowed, method, url, reason }) => ({ allowed, method, url, reason }))).toEqual([
      { allowed: true, method: 'GET', url: `${server.origin}/x`, reason: undefined },
      { allowed: false, method: 'GET', url: 'http://evil.example/', reason: 'NOT_ALLOWED' },
      { allowed: false, method: 'CONNECT', url: 'evil.example:443', reason: 'NOT_ALLOWED' },
    ])
    await vi.waitFor(() => expect(ends).toMatchObject([{ status: 200 }]))
  })

  it('in a cell shows nobody the token that the cell has for the proxy', async () => {
    const proxyUrls = watchProxyUrls()
    const server = await startServer((request, response) => response.end(JSON.stringify(request.headers)))
    const { host, decisions } = cellHost()
    const sandbox = await BashSandbox.open({ allowedUrls: [server.origin] }, { host })
    const said: unknown[] = [await sandbox.describe(), decisions, host]
    for (const command of [
      `curl -v -i ${server.origin}/; curl -v http://evil.example/; curl -v https://evil.example/; curl -v ${server.origin}0/`,
      `curl -v -H 'Proxy-Authorization: Basic eDp5' ${server.origin}/; curl -v -X OPTIONS ${server.origin}/`,
      'env; set; declare -p; cat /proc/self/environ /proc/*/environ; find / -type f | while read -r f; do cat "$f"; done',
    ])
      said.push(await sandbox.execute(command))
    const { username, password } = new URL(proxyUrls[0] ?? '')
    const text = everythingSaidBy(said)
    expect(password.length).toBeGreaterThan(20)
    const basic = (user: string) => Buffer.from(`${user}:${password}`).toString('base64')
    for (const secret of [password, basic(username), basic(`${username}.1`)])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/proxy-authorization":/)
    expect(server.seen.length).toBe(3)
  })

  it('in a cell whose host has the network of its level is held to its allowlist all the same', async () => {
    const [server, other] = await Promise.all([startServer(), startServer()])
    const { host, decisions } = cellHost({ network: 'public' })
    const sandbox = await BashSandbox.open({ allowedUrls: [server.origin] }, { host })
    expect(await sandbox.execute(`curl -s ${server.origin}/x`)).toEqual(result({ stdout: 'hello /x\n' }))
    for (const url of [`${other.origin}/`, 'http://93.184.216.34/'])
      expect(await sandbox.execute(`curl ${url}`)).toEqual(denied(url))
    expect([decisions.map(({ allowed }) => allowed), other.seen]).toEqual([[true, false, false], []])
  })

  it("is refused by a host whose network is 'none'", async () => {
    const { host } = cellHost({ network: 'none' })
    const opening = BashSandbox.open({ allowedUrls: ['http://api.example/'] }, { host })
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'allowedUrls' })
  })

  it.each<readonly [Isolation]>([['worker'], ['shared']])(
    'does not use a proxy of the service (%s)',
    async (isolation) => {
      const [server, upstream] = await Promise.all([startServer(), startServer()])
      for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, upstream.origin)
      onTestFinished(() => {
        vi.unstubAllEnvs()
      })
      await using sandbox = await BashSandbox.open({ isolation, allowedUrls: [server.origin] })
      await sandbox.execute(`HTTP_PROXY=${upstream.origin} curl -s ${server.origin}/x`)
      expect([server.seen.length, upstream.seen]).toEqual([1, []])
    },
  )
})

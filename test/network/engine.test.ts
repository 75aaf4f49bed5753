import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import type { EgressPass } from '../../src/network/pass.ts'
import { proxyEnvironment } from '../../src/network/proxy-environment.ts'
import { program } from '../fixtures/program.ts'
import type { SandboxTask } from './fixtures/sandbox-child.ts'
import { PUBLIC, startOrigin, startProxy, startTcp } from './helpers.ts'

interface Result {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs commands in a sandbox of a process whose environment names the proxy. */
function runInCell(pass: EgressPass, task: SandboxTask): Promise<readonly Result[]> {
  // What the host itself was started with must not lead round the proxy.
  const base = {
    ...process.env,
    NODE_OPTIONS: '',
    NO_PROXY: '*,127.0.0.1',
    no_proxy: '*,127.0.0.1',
    REQUEST_METHOD: 'GET',
  }
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program('test/network/fixtures/sandbox-child.ts'), JSON.stringify(task)],
      { env: proxyEnvironment(base, pass.url), timeout: 50_000, killSignal: 'SIGKILL' },
      (error, stdout) => (error === null ? resolve(JSON.parse(stdout)) : reject(error)),
    )
  })
}

const names = { 'api.example': [PUBLIC], 'inside.example': ['127.0.0.1'] }

test('the engine’s requests go through the proxy, and names are resolved there alone', async () => {
  const origin = await startOrigin((request, response) => {
    if (request.url === '/go') response.writeHead(302, { location: 'http://evil.example/' }).end()
    else response.end(`hello ${request.url}\n`)
  })
  const { proxy, decisions } = await startProxy({ names, origin: origin.port })
  const allow = ['http://api.example/', 'http://inside.example/']
  const results = await runInCell(proxy.admit('cell', { network: 'allowlist', allow }), {
    config: { credentials: [{ url: 'http://api.example/', token: 'hush-hush-hush' }] },
    commands: [
      'curl -s "http://api.example/a/../b?c=d"',
      'curl -s -X POST -d x=y http://api.example/form',
      'curl -s http://evil.example/',
      'curl -s -f http://evil.example/',
      'curl -s -L http://api.example/go',
      'curl -s http://inside.example/',
      'curl https://api.example/',
    ],
  })
  const refused = 'egress refused: The allowlist of this sandbox does not name this address. (NOT_ALLOWED)\n'
  expect(results).toEqual([
    { exitCode: 0, stdout: 'hello /b?c=d\n', stderr: '' },
    { exitCode: 0, stdout: 'hello /form\n', stderr: '' },
    { exitCode: 0, stdout: refused, stderr: '' },
    { exitCode: 22, stdout: '', stderr: '' },
    { exitCode: 0, stdout: refused, stderr: '' },
    {
      exitCode: 0,
      stdout: 'egress refused: This host has no public address. (PRIVATE_ADDRESS)\n',
      stderr: '',
    },
    { exitCode: 6, stdout: '', stderr: 'curl: (6) error sending request for url (https://api.example/)\n' },
  ])
  expect(origin.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/b?c=d', 'Bearer hush-hush-hush'],
    ['/form', 'Bearer hush-hush-hush'],
    ['/go', 'Bearer hush-hush-hush'],
  ])
  expect(decisions.length).toBe(8)
})

test('TLS goes through a tunnel, its server name untouched', async () => {
  const hellos: string[] = []
  const port = await startTcp((socket) =>
    socket.once('data', (piece) => {
      hellos.push(piece.toString('latin1'))
      socket.destroy()
    }),
  )
  const { proxy, connections } = await startProxy({ names, origin: port })
  const pass = proxy.admit('cell', { network: 'allowlist', allow: ['https://api.example/'] })
  const results = await runInCell(pass, { config: {}, commands: ['curl -s https://api.example/'] })
  expect(results.map(({ exitCode }) => exitCode)).toEqual([6])
  expect(connections).toEqual([`${PUBLIC}:443`])
  expect(hellos.map((hello) => [hello.charCodeAt(0), hello.includes('api.example')])).toEqual([[0x16, true]])
})

test('a private address needs the engine’s allowedUrls and an entry of the proxy', async () => {
  const origin = await startOrigin()
  const here = `http://127.0.0.1:${origin.port}/`
  const { proxy } = await startProxy()
  const both = { config: { allowedUrls: [here] }, commands: [`curl -s ${here}`] }
  const open = proxy.admit('open', { network: 'allowlist', allow: [here] })
  const none = proxy.admit('none', { network: 'none' })
  expect(await runInCell(open, both)).toEqual([{ exitCode: 0, stdout: 'hello', stderr: '' }])
  expect(await runInCell(none, both)).toMatchObject([{ stdout: expect.stringContaining('NETWORK_NONE') }])
  expect(await runInCell(open, { ...both, config: {} })).toMatchObject([{ exitCode: 1, stdout: '' }])
  expect(origin.seen.length).toBe(1)
})

test('no command bypasses the proxy', async () => {
  const origin = await startOrigin()
  const { proxy, connections } = await startProxy({ names, origin: origin.port })
  const here = `http://127.0.0.1:${origin.port}`
  const results = await runInCell(proxy.admit('cell', { network: 'none' }), {
    config: {
      allowedUrls: [`${here}/`],
      env: { HTTP_PROXY: '', http_proxy: '', NO_PROXY: '*', REQUEST_METHOD: 'GET' },
    },
    commands: [
      `curl -s ${here}/`,
      `HTTP_PROXY= http_proxy= ALL_PROXY= NO_PROXY='*' no_proxy=127.0.0.1 REQUEST_METHOD=GET curl -s ${here}/`,
      `export HTTP_PROXY= http_proxy= no_proxy=127.0.0.1 REQUEST_METHOD=GET; curl -s ${here}/`,
      `unset HTTP_PROXY http_proxy ALL_PROXY; env -i curl -s ${here}/`,
      `curl -s --noproxy '*' ${here}/`,
      `curl -s -x '' ${here}/`,
      `curl -s --proxy ${here} ${here}/`,
      `curl -s --socks5 127.0.0.1:${origin.port} ${here}/`,
      `curl -s --resolve api.example:80:127.0.0.1 http://api.example/`,
      `curl -s --connect-to ::127.0.0.1:${origin.port} http://api.example/`,
      `curl -s --interface lo --unix-socket /tmp/s ${here}/`,
      `printf 'noproxy = "*"\\nproxy = ""\\n' > ~/.curlrc; curl -s ${here}/`,
      `curl -s -H 'Proxy-Authorization: Basic Y2VsbDE6eA==' ${here}/`,
      `curl -s -H 'Connection: upgrade' -H 'Upgrade: x' ${here}/`,
      `curl -s -X CONNECT ${here}/`,
      `curl -s -X TRACE ${here}/`,
      `cat < /dev/tcp/127.0.0.1/${origin.port}`,
      `lua -e 'local s = require("socket") print(s.connect("127.0.0.1", ${origin.port}))'`,
      `lua -e 'local p = io.popen("curl -s ${here}/") print(p:read("a"))'`,
    ],
  })
  expect(results.filter(({ stdout }) => stdout.includes('hello'))).toEqual([])
  expect([origin.seen, connections]).toEqual([[], []])
})

test('a request to a server that never answers ends at the proxy’s timeout; the engine alone has none', async () => {
  const port = await startTcp((socket) => socket.resume())
  const { proxy } = await startProxy({ names, origin: port, limits: { idleTimeout: 0.2 } })
  const pass = proxy.admit('cell', { network: 'allowlist', allow: ['http://api.example/'] })
  const results = await runInCell(pass, { config: {}, commands: ['curl -s http://api.example/'] })
  expect(results).toMatchObject([{ exitCode: 6, stdout: '' }])
})

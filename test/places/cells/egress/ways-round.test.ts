import { expect, it } from 'vitest'
import { startServer } from '../../../strands-shell/support/http-server.ts'
import { cellHost, engineAllows, watchProxyUrls } from './helpers.ts'

/** Where the commands of this table want to go. */
interface Places {
  /** What is allowed: `http://127.0.0.1:PORT/ok`. */
  readonly allowed: string
  /** `http://127.0.0.1:PORT` of the same server. */
  readonly origin: string
  /** The port of another server, of which nothing is allowed. */
  readonly port: string
  /** The cell's own proxy. */
  readonly proxy: URL
}

/** What the proxy said to a command: its reasons, 'ok' for what it let through; nothing where the engine refused by itself. */
type Way = readonly [command: (places: Places) => string, ...said: string[]]

const no = 'NOT_ALLOWED'
const guarded = ({ port }: Places) => `http://127.0.0.1:${port}/secret`

const byVariables: readonly Way[] = [
  [(at) => `HTTP_PROXY= http_proxy= ALL_PROXY= curl -s ${guarded(at)}`, no],
  [(at) => `NO_PROXY='*' no_proxy=127.0.0.1 curl -s ${guarded(at)}`, no],
  [(at) => `export NO_PROXY='*' no_proxy='*' HTTP_PROXY= http_proxy=; curl -s ${guarded(at)}`, no],
  [(at) => `unset HTTP_PROXY http_proxy ALL_PROXY all_proxy; curl -s ${guarded(at)}`, no],
  [
    (at) => `env -i curl -s ${guarded(at)}; env -u HTTP_PROXY REQUEST_METHOD=GET curl -s ${guarded(at)}`,
    no,
    no,
  ],
  [(at) => `REQUEST_METHOD=GET curl -s ${guarded(at)}`, no],
  [(at) => `printf 'noproxy = "*"\\nproxy = ""\\n' > ~/.curlrc; curl -s ${guarded(at)}`, no],
  [(at) => `set -a; HTTP_PROXY=http://127.0.0.1:${at.port}; curl -s ${guarded(at)}`, no],
]

const byOptions: readonly Way[] = [
  ...[
    `-x ''`,
    `-x http://127.0.0.1:1`,
    `--proxy ''`,
    `--noproxy '*'`,
    `--preproxy x`,
    `--socks5 127.0.0.1:1`,
    `--proxy-header 'X: y'`,
    `--connect-to ::127.0.0.1:1`,
    `--resolve x.example:80:127.0.0.1`,
    `--interface lo`,
    `--unix-socket /tmp/s`,
    `--doh-url https://x.example/`,
    `-K /dev/null`,
    `-q`,
  ].map((option): Way => [(at) => `curl -s ${option} ${guarded(at)}`]),
  [(at) => `curl -s ${at.allowed} ${guarded(at)}`, no],
  [(at) => `curl -s -H 'Host: 127.0.0.1:${at.port}' ${at.allowed}`, 'ok'],
  [(at) => `curl -s -H 'Proxy-Authorization: Basic eDp5' ${guarded(at)}`, 'UNAUTHORIZED'],
  [
    (at) =>
      `curl -s -H 'Proxy-Authorization: Basic ${btoa(`${at.proxy.username}:${at.proxy.password}`)}' ${guarded(at)}`,
    no,
  ],
  [(at) => `curl -s -H 'Connection: Upgrade' -H 'Upgrade: websocket' ${at.allowed}`, 'UPGRADE'],
  [(at) => `curl -s -X CONNECT ${at.allowed}`, no],
  [() => 'curl -s -X CONNECT http://x.example/', 'BAD_REQUEST'],
  [(at) => `curl -s -X TRACE ${at.allowed}`, 'METHOD'],
  [(at) => `curl -s -X 'GET ${guarded(at)} HTTP/1.1' ${at.allowed}`],
  [(at) => `curl -s -H "$(printf 'X: y\\r\\n\\r\\nGET ${guarded(at)} HTTP/1.1')" ${at.allowed}`],
]

const byAddress: readonly Way[] = [
  ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.', '0.0.0.0', '127.0.0.2'].map(
    (host): Way => [
      ({ port }) => `curl -s http://${host}:${port}/secret`,
      ...(/^0\.|2$/.test(host) ? [] : [no]),
    ],
  ),
  ...['localhost', 'LOCALHOST', 'x.localhost', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'].map(
    (host): Way => [({ port }) => `curl -s 'http://${host}:${port}/secret'`],
  ),
  ...['localhost.', '127.0.0.1.nip.example'].map(
    (host): Way => [({ port }) => `curl -s http://${host}:${port}/secret`, no],
  ),
  [(at) => `curl -s http://user:pass@127.0.0.1:${at.port}/ok`, no],
  [(at) => `curl -s '${at.origin}@127.0.0.1:${at.port}/ok'`, no],
  [(at) => `curl -s '${at.origin}#@127.0.0.1:${at.port}/ok'`, no],
  [(at) => `curl -s '${at.origin}\\@127.0.0.1:${at.port}/ok'`, no],
  [(at) => `curl -s -k https://127.0.0.1:${at.port}/ok; curl -s -k https${at.origin.slice(4)}/ok`, no, no],
  [(at) => `curl -s '${at.origin}/ok/../secret'`, no],
  [(at) => `curl -s '${at.origin}/ok/%2e%2e/secret'`, no],
  [(at) => `curl -s '${at.origin}/ok/.%2E/secret'`, no],
  [(at) => `curl -s '${at.origin}/ok/..%2fsecret'`, no],
  [(at) => `curl -s '${at.origin}/ok/%252e%252e/secret'`, no],
  [(at) => `curl -s '${at.origin}/ok\\..\\secret'`, no],
  [(at) => `curl -s '${at.origin}/ok/..;/secret'`, no],
  [(at) => `curl -s '${at.origin}/OK/secret'`, no],
  [(at) => `curl -s '${at.origin}//ok/secret'`, no],
  [(at) => `curl -s '${at.origin}/okay'`, no],
  [
    (at) =>
      `x=a; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do x=$x$x; done; curl -s "${at.origin}/ok/$x"`,
    'HEADERS_TOO_LARGE',
  ],
  [(at) => `curl -s ${at.proxy.origin}/; curl -s -k https://${at.proxy.host}/`, no, no],
]

const byOtherMeans: readonly Way[] = [
  [(at) => `wget -qO- ${guarded(at)}`],
  [
    (at) =>
      `curl -s ws://127.0.0.1:${at.port}/; curl -s ftp://127.0.0.1:${at.port}/; curl -s file:///etc/passwd`,
  ],
  [(at) => `cat < /dev/tcp/127.0.0.1/${at.port}; exec 5<>/dev/tcp/127.0.0.1/${at.port}; cat <&5`],
  [
    (at) =>
      `nc 127.0.0.1 ${at.port}; telnet 127.0.0.1 ${at.port}; openssl s_client -connect 127.0.0.1:${at.port}`,
  ],
  [
    (at) =>
      `lua -e 'print(pcall(require, "socket")); print(package.loadlib("libc.so.6", "*"))'; lua -e 'io.open("${guarded(at)}"):read("a")'`,
  ],
  [(at) => `lua -e 'print(io.popen("NO_PROXY=* curl -s ${guarded(at)}"):read("a"))'`, no],
  [(at) => `lua -e 'os.execute("curl -s ${guarded(at)}")'`, no],
  [(at) => `echo ${guarded(at)} | xargs curl -s`, no],
  [(at) => `curl -s ${guarded(at)} & wait`, no],
]

it('no way round the proxy reaches an address that is not allowed', async () => {
  const proxyUrls = watchProxyUrls()
  const [server, other] = await Promise.all([startServer(), startServer()])
  const { port } = new URL(other.origin)
  const allowed = `${server.origin}/ok`
  const { host, decisions } = cellHost()
  const allowedUrls = [allowed]
  const [cell] = [await host.open({ allowedUrls })]
  const proxy = new URL(proxyUrls[0] ?? '')
  const everything = [server.origin, other.origin, proxy.origin].flatMap((url) => [
    `${url}/`,
    `https${url.slice(4)}/`,
  ])
  await cell.close()
  const sandbox = await host.open({ allowedUrls, configFile: await engineAllows(...everything) })
  const places = { allowed, origin: server.origin, port, proxy }
  const ways = [...byVariables, ...byOptions, ...byAddress, ...byOtherMeans]
  const outcomes: unknown[] = []
  for (const [command] of ways) {
    const before = decisions.length
    const { stdout } = await sandbox.execute(command(places))
    const said = decisions.slice(before).map(({ reason = 'ok' }) => reason)
    outcomes.push([command(places), ...said, stdout.includes('hello /') ? 'reached' : ''])
  }
  expect(outcomes).toEqual(
    ways.map(([command, ...said]) => [command(places), ...said, said.includes('ok') ? 'reached' : '']),
  )
  expect([other.seen, server.seen.map(({ url }) => url)]).toEqual([[], ['/ok']])
  expect(new Set(proxyUrls.map((url) => new URL(url).origin)).size).toBe(1)
})

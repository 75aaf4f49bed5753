import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import type { HostedSandbox, Isolation, ShellHost } from '../../src/index.ts'
import { makeHost } from '../faults/helpers.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { levelsOrThreadAndCell, tierLevels } from '../support/describe-engines.ts'
import { type Attempt, type AttemptConfig, refused, SECRET, tryAll } from './support/attempts.ts'

/** Two servers of this machine, as commands name them. */
interface Places {
  /** The port of one that answers with the secret, on every address; nothing of it is allowed. */
  readonly port: string
  /** Another one; of it `/ok` is allowed. */
  readonly server: string
  /** The same, without its scheme. */
  readonly authority: string
}

/** What the engine, the proxy or the parser of addresses says; or nothing but a failure. */
const no = /^[1-9]|egress refused: |^0 (granted)?\n?$/

const spellings: readonly (readonly [host: string, why: string])[] = [
  ['127.0.0.1', 'it is this machine'],
  ['127.0.0.2', 'loopback is a network, not an address'],
  ['127.255.255.254', 'its far end'],
  ['127.1', 'a short form'],
  ['127.0.1', 'another one'],
  ['0', 'the shortest'],
  ['0.0.0.0', 'connects to this machine'],
  ['2130706433', 'decimal'],
  ['0x7f000001', 'hexadecimal'],
  ['0x7f.1', 'hexadecimal, short'],
  ['0177.0.0.1', 'octal'],
  ['017700000001', 'octal, whole'],
  ['127.0.0.1.', 'the root’s dot'],
  ['%31%32%37.0.0.1', 'escaped'],
  ['１２７.0.0.1', 'full width'],
  ['①②⑦.⓪.⓪.①', 'in circles'],
  ['127。0。0。1', 'another full stop'],
  ['localhost', 'a name for it'],
  ['LOCALHOST', 'in capital letters'],
  ['[::1]', 'IPv6'],
  ['[0:0:0:0:0:0:0:1]', 'IPv6, in full'],
  ['[::]', 'no address of IPv6'],
  ['[::ffff:127.0.0.1]', 'IPv4 in IPv6'],
  ['[::ffff:7f00:1]', 'the same, in hexadecimal'],
  ['[::127.0.0.1]', 'the same, of old'],
  ['[64:ff9b::7f00:1]', 'by a translator'],
  ['[2002:7f00:1::]', 'by 6to4'],
  ['127.0.0.1%00.example', 'a NUL in the name'],
  ['user@127.0.0.1', 'a user name'],
  ['example.com@127.0.0.1', 'a user name like a host'],
  ['{authority}@127.0.0.1', 'the allowed host as a user'],
]

const ways: readonly (readonly [name: string, why: string, how: string])[] = [
  ['another path', 'the prefix might be the host', 'curl -s {server}/secret'],
  ['a path that starts like it', 'prefixes are text', 'curl -s {server}/okay'],
  ['`..` in the path', 'the server resolves it', 'curl -s {server}/ok/../secret'],
  ['escaped dots', 'a parser resolves them', 'curl -s {server}/ok/%2e%2e/secret {server}/ok/.%2E/secret'],
  ['backslashes', 'a parser turns them', `curl -s '{server}/ok\\..\\secret' '{server}\\secret'`],
  ['a redirect to another port', 'only the first address is checked', 'curl -s -L {server}/ok/redirect'],
  ['a redirect to another path', 'as above', 'curl -s -L {server}/ok/back'],
  ['a redirect by its host alone', '//host keeps the scheme', 'curl -s -L {server}/ok/schemeless'],
  ['a redirect to a file', 'another scheme', 'curl -s -L {server}/ok/file'],
  ['a chain of redirects', 'each is checked', 'curl -s -L {server}/ok/chain'],
  ['two addresses', 'the first one counts', 'curl -s {server}/ok http://127.0.0.1:{port}/'],
  [
    'a fragment like the host',
    'a bad parser takes its end',
    `curl -s 'http://127.0.0.1:{port}/#@{authority}/ok'`,
  ],
  ['a query like the host', 'as above', `curl -s 'http://127.0.0.1:{port}/?{server}/ok'`],
  ['a backslash before the host', 'parsers differ', `curl -s 'http://{authority}\\@127.0.0.1:{port}/ok'`],
  ['a tab in the host', 'parsers drop it', `curl -s "$(printf 'http://127.0.0\\t.1:{port}/')"`],
  [
    'a line break in the address',
    'it starts another request',
    `curl -s "$(printf '{server}/ok HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nGET /secret')"`,
  ],
  [
    'a line break in a header',
    'as above',
    `curl -s -H "$(printf 'A: b\\r\\n\\r\\nGET /secret HTTP/1.1')" {server}/none`,
  ],
  [
    'a range of addresses',
    'curl expands it',
    `curl -s 'http://127.0.0.[1-2]:{port}/'; curl -s 'http://{127.0.0.1,x}:{port}/'`,
  ],
  ['a proxy as an option', 'it is asked instead', 'curl -s -x http://127.0.0.1:{port} http://example.com/'],
  [
    'a proxy as a variable',
    'as above',
    'http_proxy=http://127.0.0.1:{port} HTTP_PROXY=http://127.0.0.1:{port} ALL_PROXY=http://127.0.0.1:{port} curl -s http://127.0.0.1:{port}/',
  ],
  [
    'an exported proxy',
    'as above',
    'export http_proxy=http://127.0.0.1:{port} NO_PROXY=*; curl -s http://127.0.0.1:{port}/',
  ],
  [
    'a name of its own',
    'curl resolves it',
    'curl -s --resolve x.example:80:127.0.0.1 http://x.example:{port}/',
  ],
  ['another way to a name', 'curl connects there', 'curl -s --connect-to ::127.0.0.1:{port} {server}/ok'],
  ['a socket', 'it is no address', 'curl -s --unix-socket /tmp/s http://127.0.0.1:{port}/'],
  [
    'a config file of curl',
    'it holds options',
    `printf 'url = "http://127.0.0.1:{port}/"' > ~/.curlrc; curl -s -K ~/.curlrc`,
  ],
  ['TLS', 'another checker', 'curl -sk https://127.0.0.1:{port}/'],
  [
    'other schemes',
    'others check them',
    'for s in ftp gopher dict ws tftp telnet ldap smb; do curl -s $s://127.0.0.1:{port}/ && exit 0; done; false',
  ],
  ['no scheme', 'curl guesses one', 'curl -s 127.0.0.1:{port}/; curl -s //127.0.0.1:{port}/'],
  ['/dev/tcp', 'bash has it', 'cat < /dev/tcp/127.0.0.1/{port}'],
  ['lua', 'it has sockets', `lua -e 'require("socket").connect("127.0.0.1", {port})'`],
  [
    'other programs',
    'they reach the network, too',
    'wget http://127.0.0.1:{port}/ || nc 127.0.0.1 {port} || ssh 127.0.0.1 || ping 127.0.0.1',
  ],
  [
    'the metadata service',
    'every cloud has it',
    'curl -s http://169.254.169.254/latest/meta-data/ || curl -s http://[fd00:ec2::254]/',
  ],
]

const attempts: readonly Attempt<Places>[] = [
  ...spellings.map(([at, why]) => ({ name: at, why, how: `curl -s 'http://${at}:{port}/'`, seen: no })),
  ...ways.map(([name, why, how]) => ({ name, why, how, seen: no })),
]

/** Addresses that the engine refuses by itself; others, such as a public one of this machine, are for a cell's proxy. */
const privateAddress = /^(10\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.|f[cd])/

/** By this machine's own addresses, as far as a level refuses them. */
function byAddress(isolation: Isolation): readonly Attempt<Places>[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const others = own.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
  return others
    .filter(({ address }) => isolation === 'process' || privateAddress.test(address))
    .map(({ address, family }) => ({
      name: `this machine’s own ${address}`,
      why: 'it is not loopback',
      how: `curl -s http://${family === 'IPv6' ? `[${address}]` : address}:{port}/`,
      seen: no,
    }))
}

type Open = (host: ShellHost, config: AttemptConfig) => Promise<HostedSandbox>

const engines: readonly (readonly [engine: string, isolation: Isolation, open: Open])[] = [
  ...tierLevels.map(
    (level) => ['strands', level, (host: ShellHost, config: AttemptConfig) => host.open(config)] as const,
  ),
  ...levelsOrThreadAndCell.map(
    (level) =>
      [
        'bash',
        level,
        (host: ShellHost, { binds: _, ...config }: AttemptConfig) => BashSandbox.open(config, { host }),
      ] as const,
  ),
]

describe.each(engines)('a network that is not granted (%s, %s)', (engine, isolation, open) => {
  beforeAll(() => {
    // The engine honours the proxy of its process, which would see these requests instead of the test's servers.
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
      Reflect.deleteProperty(process.env, name)
      Reflect.deleteProperty(process.env, name.toLowerCase())
    }
  })

  it('is not reached under any spelling of its address', async () => {
    const guarded = await startGuarded()
    const server = await startServer(({ url = '' }, response) => {
      const location = locations(guarded.port)[url]
      if (location !== undefined) response.writeHead(302, { location }).end()
      else response.end(/^\/ok($|\/)/.test(url) ? 'granted\n' : `${SECRET}\n`)
    })
    const { host: authority, origin } = new URL(server.origin)
    const places = { port: String(guarded.port), server: origin, authority }
    const host = makeHost({ isolation, maxCells: 1, sandboxesPerCell: 100 })
    const all = [...attempts, ...byAddress(engine === 'bash' ? 'process' : isolation)]
    const config = () => ({ allowedUrls: [`${origin}/ok`], timeout: 5 })
    expect(await tryAll(all, { open: (given) => open(host, given) }, config, places)).toEqual(refused(all))
    expect(guarded.seen).toEqual([])
    const asked = server.seen.map(({ url = '' }) => url)
    expect(asked.filter((url) => !/^\/ok($|\/)/.test(url))).toEqual([])
    // The controls: both servers are there, and what is granted is reached.
    expect(await (await fetch(`http://127.0.0.1:${guarded.port}/`)).text()).toContain(SECRET)
    expect((await (await open(host, config())).execute(`curl -s ${origin}/ok`)).stdout).toBe('granted\n')
    expect(asked).toEqual(expect.arrayContaining(['/ok/redirect', '/ok/back', '/ok/chain']))
  })
})

function locations(port: number): Readonly<Record<string, string>> {
  return {
    '/ok/redirect': `http://127.0.0.1:${port}/`,
    '/ok/back': '/secret',
    '/ok/schemeless': `//127.0.0.1:${port}/`,
    '/ok/file': 'file:///etc/passwd',
    '/ok/chain': '/ok/redirect',
  }
}

/** A server on every address of this machine that answers with the secret. */
async function startGuarded(): Promise<{ readonly port: number; readonly seen: readonly string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    if (request.headers['user-agent'] !== 'node') seen.push(`${request.headers.host} ${request.url}`)
    response.end(`${SECRET}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return { port: address.port, seen }
}

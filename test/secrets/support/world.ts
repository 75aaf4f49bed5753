import type { ServerResponse } from 'node:http'
import { onTestFinished, vi } from 'vitest'
import { SANDBOX_EVENTS } from '../../../src/host/event-data.ts'
import {
  auditLog,
  type Isolation,
  type ShellHost,
  type ShellHostOptions,
  type StrandsShellSandbox,
} from '../../../src/index.ts'
import { makeHost } from '../../faults/helpers.ts'
import { hostDirectory } from '../../strands-shell/support/host-tree.ts'
import { startServer, type TestServer } from '../../strands-shell/support/http-server.ts'
import { CANARY } from './canary.ts'

/** A host whose sandboxes have the canary for one server, and all that happened around it. */
export interface World {
  readonly host: ShellHost
  readonly sandbox: StrandsShellSandbox
  /** Whose credential the canary is. */
  readonly own: TestServer
  /** Allowed, and nobody's credential. */
  readonly other: TestServer
  /** The host directory that is bound at `/work`. */
  readonly work: string
  /** What the host's listeners were given. */
  readonly told: readonly unknown[]
  /** What the audit log of its hosts has. */
  logged(): Promise<string>
  /** Another host with the same credentials. */
  hostWith(options: ShellHostOptions): ShellHost
}

/** The canary once as a token and once as a variable of this process, at addresses of one server. */
export async function makeWorld(isolation: Isolation): Promise<World> {
  // The engine honours the proxy of its process, which would see these requests instead of the test's servers.
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
    vi.stubEnv(name, undefined)
    vi.stubEnv(name.toLowerCase(), undefined)
  }
  vi.stubEnv('SECRETS_CANARY', CANARY)
  const [own, other] = await Promise.all([startServer(answer), startServer()])
  ways['/away'] = (response) => response.writeHead(302, { location: `${other.origin}/landed` }).end()
  const work = await hostDirectory({ file: 'f', link: '-> /etc/passwd' })
  const local = own.origin.replace('127.0.0.1', 'localhost')
  const defaults = {
    credentials: [
      { url: own.origin, token: CANARY },
      { url: `${local}/`, envVar: 'SECRETS_CANARY' },
    ],
    allowedUrls: [`${own.origin}/`, `${local}/`, `${other.origin}/`],
    binds: [{ source: work, destination: '/work' }],
    limits: { maxFileSize: 100_000 },
    timeout: 50,
  }
  const lines: string[] = []
  const audit = auditLog({ write: (text) => lines.push(text), events: 'all' })
  onTestFinished(() => audit.close())
  const logged = async () => {
    await audit.flush()
    return lines.join('')
  }
  const hostWith = (options: ShellHostOptions) => makeHost({ isolation, defaults, audit, ...options })
  const host = hostWith({})
  const told: unknown[] = []
  for (const event of SANDBOX_EVENTS) host.on(event, (data) => told.push([event, data]))
  const sandbox = await host.open({}, { id: 'with-a-canary' })
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return { host, sandbox, own, other, work, told, logged, hostWith }
}

/** What its own server does with a request, by path. */
const ways: Record<string, (response: ServerResponse) => unknown> = {
  '/die': (response) => response.destroy(),
  '/hang': () => undefined,
  '/slow': (response) => setTimeout(() => response.end('late'), 20_000).unref(),
  '/denied': (response) => response.writeHead(401, { 'www-authenticate': 'Bearer error="no"' }).end('no'),
}

function answer({ url = '' }: { readonly url?: string | undefined }, response: ServerResponse): void {
  const way = ways[url]
  if (way === undefined) response.end(`hello ${url}\n`)
  else way(response)
}

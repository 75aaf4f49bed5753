import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { EngineName } from '../contract/lease.ts'
import { inUrl } from '../http/source.ts'
import { http } from '../network/node-http.ts'
import { within } from '../sandbox/options-of.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'
import { Answering } from './answering.ts'
import { Executions } from './executions.ts'
import { Feed } from './feed.ts'
import { listenerOf } from './listener.ts'
import { Metrics } from './metrics.ts'
import type { ServeOptions } from './options.ts'
import type { Ownership } from './ownership.ts'
import { pageRoutes } from './page.ts'
import { type ResolvedServeOptions, resolveServeOptions } from './resolve-options.ts'
import { routesOf } from './routes/index.ts'
import { Sandboxes } from './sandboxes.ts'
import { Terminals } from './terminals.ts'
import { Timeline } from './timeline.ts'

/** How long a connection may take, in milliseconds: until the headers of its first request, and until all of a request. */
const times = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 75_000,
}
/** Milliseconds in which a client is expected to have taken the end of its answer. */
const flushTime = 1000

/** A service that listens. */
export interface Service extends AsyncDisposable {
  /** Where clients reach it: `http://127.0.0.1:7300`. */
  readonly url: string
  /** Names this process: the header `strands-instance` of its answers. */
  readonly instance: string
  /** Whose sandboxes it serves. */
  readonly host: ShellHost<EngineName>
  /**
   * Takes no new request, lets calls under way end for `grace` seconds (default: 10), stores what can be stored, and closes. Leaves
   * no socket. Idempotent: the first grace counts.
   *
   * @throws {SandboxConfigError} for a grace that is no number of seconds from 0 to 86400
   */
  close(options?: { readonly grace?: number | undefined }): Promise<void>
}

/**
 * Serves sandboxes over HTTP: docs/serve.md. It needs the packages `hono` and `ws`.
 *
 * @throws {SandboxConfigError} naming the option that is not valid; never a token
 * @throws {Error} of Node's, such as `EADDRINUSE`, where it cannot listen
 */
export async function serve(options: ServeOptions): Promise<Service> {
  return startService(resolveServeOptions(options))
}

/** A service whose sandboxes other processes share. */
export interface SharedService extends Service {
  /** Lets go of a sandbox that another process is to have: what is stored of it stays. */
  letGo(id: string): Promise<void>
}

/** Starts a service. @param shared - who has its sandboxes, where other processes share them, and how they know this one. */
export async function startService(
  options: ResolvedServeOptions,
  shared?: { readonly instance: string; readonly ownership: Ownership },
): Promise<SharedService> {
  const service = new HttpService(options, shared)
  try {
    await service.listen()
    return service
  } catch (error) {
    await service.close({ grace: 0 })
    throw error
  }
}

class HttpService implements SharedService {
  readonly instance: string
  readonly host: ShellHost<EngineName>
  readonly #options: ResolvedServeOptions
  readonly #ownsHost: boolean
  readonly #isKept: boolean
  readonly #sandboxes: Sandboxes
  readonly #answering: Answering
  readonly #server: Server
  readonly #terminals: Terminals
  readonly #stop = new AbortController()
  readonly #metrics: Metrics
  readonly #unlisten: () => void
  #url = ''
  #closing: Promise<void> | undefined

  constructor(options: ResolvedServeOptions, shared?: Parameters<typeof startService>[1]) {
    const { instance = randomUUID(), ownership } = shared ?? {}
    this.instance = instance
    const { host, ownsHost, store, records } = options.places()
    const { templates, durable, resumeTime, keyTime, log } = options
    this.#options = options
    this.host = host
    this.#ownsHost = ownsHost
    this.#isKept = host.hibernates
    const feed = new Feed()
    this.#unlisten = feed.listen(host)
    this.#metrics = new Metrics(host)
    const timeline = new Timeline()
    this.#sandboxes = new Sandboxes({
      host,
      templates,
      records,
      store,
      durable,
      feed,
      timeline,
      log,
      ownership,
    })
    const executions = new Executions({
      sandboxes: this.#sandboxes,
      feed,
      timeline,
      ownership,
      resumeTime,
      keyTime,
      log,
    })
    const isClosing = () => this.#closing !== undefined
    this.#answering = new Answering({
      ...options,
      instance,
      ownership,
      keyOf: (principal, id) => this.#sandboxes.keyOf(principal, id),
      closing: this.#stop.signal,
      isClosing,
    })
    const routes = routesOf({
      host,
      templates,
      sandboxes: this.#sandboxes,
      executions,
      feed,
      timeline,
      metrics: this.#metrics,
      ownership,
      instance,
      closing: this.#stop.signal,
      isClosing,
    })
    this.#server = http.createServer(
      times,
      listenerOf([...routes, ...(options.page ? pageRoutes() : [])], this.#answering),
    )
    this.#terminals = new Terminals({
      answering: this.#answering,
      sandboxes: this.#sandboxes,
      executions,
      isClosing,
      log,
    })
    this.#server.on('upgrade', (request, socket, head) => void this.#terminals.upgrade(request, socket, head))
    this.#server.maxConnections = options.maxConnections
  }

  get url(): string {
    return this.#url
  }

  async listen(): Promise<void> {
    const { port, hostname } = this.#options
    await this.#sandboxes.load()
    this.#server.listen(port, hostname)
    await once(this.#server, 'listening')
    const address = this.#server.address()
    const taken = typeof address === 'object' && address !== null ? address.port : 0
    this.#url = `http://${inUrl(hostname)}:${taken}`
  }

  async close({ grace = 10 }: { readonly grace?: number | undefined } = {}): Promise<void> {
    const seconds = within('grace', grace, { least: 0, most: 86_400, unit: 'seconds' })
    this.#closing ??= this.#close(seconds)
    await this.#closing
  }

  letGo(id: string): Promise<void> {
    return this.#sandboxes.letGo(id)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(grace: number): Promise<void> {
    const server = this.#server
    const closed = server.listening ? once(server, 'close') : Promise.resolve()
    server.close()
    await this.#answering.answers.callsEnd(grace * 1000)
    this.#stop.abort()
    try {
      if (this.#ownsHost) await this.#closeHost()
    } finally {
      this.#terminals.close()
      await this.#answering.answers.end(flushTime)
      server.closeAllConnections()
      await closed
      this.#unlisten()
      this.#metrics.stop()
    }
  }

  async #closeHost(): Promise<void> {
    try {
      if (this.#isKept) await this.host.drain({ grace: 5, hibernate: true })
    } finally {
      await this.host.close()
    }
  }
}

import type { Readable, Writable } from 'node:stream'
import { nextTurn, sleep } from '../async/clock.ts'
import type { EngineName } from '../contract/lease.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { type BeforeClose, lastVisit } from './before-close.ts'
import { createSession, type McpSession } from './create-server.ts'
import { type McpSandbox, NamedSandbox } from './mcp-sandbox.ts'
import { notUnderstood } from './not-understood.ts'
import {
  type McpServerOptions,
  requireFunction,
  requireStore,
  requireText,
  sessionOptions,
} from './options.ts'
import { requireEngine } from './require-engine.ts'
import { StdioServerTransport } from './sdk.ts'

/** Milliseconds that calls under way have when the input ends: clients kill a server after about two seconds. */
const grace = 1500

/** Bytes of calls at hand above which no more input is read until they are done. */
const mostPending = 64 * 2 ** 20

/** What the sandbox is called. */
const name = 'stdio'

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions extends McpServerOptions {
  /**
   * Whose sandbox it is.
   *
   * @default a `new ShellHost()`, which is closed with the server
   */
  readonly host?: ShellHost<EngineName> | undefined
  /**
   * The id of its sandbox at `host`, which has a store (`hibernate`): what it holds lasts from server to server. Two servers at
   * once have a sandbox each, and of the one that stores later nothing is stored.
   *
   * @default undefined (the sandbox is closed with the server)
   */
  readonly session?: string | undefined
  /**
   * Called before a sandbox that was used is closed, because its session ends, nothing has used it for `idleTimeout`, or the
   * server closes: the last moment to read its changes, or to apply them. It has 30 seconds, and the client that started the server may give it less; what it throws is told to `log`.
   * Not called where the session was lost, or the host closed the sandbox.
   *
   * @default undefined (nothing)
   */
  readonly beforeClose?: BeforeClose | undefined
  /** @default process.stdin */
  readonly stdin?: Readable | undefined
  /** @default process.stdout */
  readonly stdout?: Writable | undefined
  /**
   * Called with a line about each thing that went wrong.
   *
   * @default nothing
   */
  readonly log?: ((line: string) => void) | undefined
}

/** A server on a pair of streams. */
export interface McpStdioServer extends AsyncDisposable {
  /** Resolves when the server has closed: the input ended, the output broke, or somebody closed it. */
  readonly closed: Promise<void>
  /** The client's sandbox. */
  readonly sandbox: McpSandbox
  /** Aborts the calls under way, and closes the sandbox. Idempotent. */
  close(): Promise<void>
}

/**
 * Serves one session on standard input and output, until the input ends. Nothing else may write to the output.
 *
 * @throws {SandboxConfigError} naming the option or the field of the config that is not valid
 * @throws {EngineUnavailableError} where the engine of its shell is not there
 */
export async function serveStdio(options: ServeStdioOptions = {}): Promise<McpStdioServer> {
  const names = [...sessionOptions, 'beforeClose', 'host', 'session', 'stdin', 'stdout', 'log'] as const
  optionsOf<ServeStdioOptions>(options, names)
  const { beforeClose, log, session: given } = options
  requireFunction('beforeClose', beforeClose)
  const storedAs = given === undefined ? undefined : requireText('session', given)
  if (storedAs !== undefined) requireStore('session', options.host)
  const host = options.host ?? new ShellHost()
  const owned = options.host === undefined ? host : undefined
  const session = createSession(host, options, {
    beforeClose: lastVisit(beforeClose, { name, client: undefined, log }),
    storedAs,
    log,
  })
  try {
    await requireEngine(session.sandbox.current.shell)
  } catch (error) {
    await session.sandbox.close()
    await owned?.close()
    throw error
  }
  const server = new StdioServer(session, owned)
  await server.start(options)
  return server
}

class StdioServer implements McpStdioServer {
  readonly closed: Promise<void>
  readonly sandbox: McpSandbox
  readonly #session: McpSession
  /** Its own, to close. */
  readonly #host: ShellHost<EngineName> | undefined
  #end: () => void = () => undefined
  /** Bytes that were read since nothing was under way. */
  #pending = 0

  constructor(session: McpSession, host: ShellHost<EngineName> | undefined) {
    this.#session = session
    this.sandbox = new NamedSandbox(name, undefined, session.sandbox)
    this.#host = host
    this.closed = new Promise<void>((resolve) => {
      this.#end = resolve
    }).then(() => this.#finish())
  }

  async start({ stdin = process.stdin, stdout = process.stdout, log }: ServeStdioOptions): Promise<void> {
    const { server } = this.#session.server
    const transport = new StdioServerTransport(stdin, stdout)
    transport.onclose = () => this.#end()
    server.onerror = (error) => log?.(notUnderstood(error))
    stdin.on('data', (piece: Buffer | string) => this.#hold(stdin, piece.length))
    stdin.once('end', () => this.#inputEnded())
    stdin.once('close', () => this.#inputEnded())
    stdout.on('error', () => this.#end())
    await this.#session.server.connect(transport)
  }

  close(): Promise<void> {
    this.#end()
    return this.closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Reads no more for a while where much of what was read is not done. */
  #hold(stdin: Readable, bytes: number): void {
    if (this.#pending === 0) void this.#resumeAtRest(stdin)
    this.#pending += bytes
    if (this.#pending > mostPending) stdin.pause()
  }

  async #resumeAtRest(stdin: Readable): Promise<void> {
    // The calls that were read begin first.
    await nextTurn()
    await this.#session.sandbox.rest()
    this.#pending = 0
    stdin.resume()
  }

  /** What was asked before the input ended is answered, if it does not take long. */
  async #inputEnded(): Promise<void> {
    const given = new AbortController()
    await nextTurn()
    await Promise.race([this.#session.sandbox.rest(), sleep(grace, undefined, { signal: given.signal })])
    given.abort()
    await nextTurn()
    this.#end()
  }

  async #finish(): Promise<void> {
    await this.#session.server.close()
    await this.#session.sandbox.close()
    await this.#host?.close()
  }
}

import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextLoop, setTimeout as wait } from 'node:timers/promises'
import type { EngineName } from '../contract/lease.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { createSession, type McpSession } from './create-server.ts'
import { type McpServerOptions, sessionOptions } from './options.ts'
import { StdioServerTransport } from './sdk.ts'

/** Milliseconds that calls under way have when the input ends: clients kill a server after about two seconds. */
const grace = 1500

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions extends McpServerOptions {
  /**
   * Whose sandbox it is.
   *
   * @default a `new ShellHost()`, which is closed with the server
   */
  readonly host?: ShellHost<EngineName> | undefined
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
  /** Aborts the calls under way, and closes the sandbox. Idempotent. */
  close(): Promise<void>
}

/**
 * Serves one session on standard input and output, until the input ends. Nothing else may write to the output.
 *
 * @throws {SandboxConfigError} naming the option or the field of the config that is not valid
 */
export async function serveStdio(options: ServeStdioOptions = {}): Promise<McpStdioServer> {
  optionsOf<ServeStdioOptions>(options, [...sessionOptions, 'host', 'stdin', 'stdout', 'log'])
  const host = options.host ?? new ShellHost()
  const session = createSession(host, options)
  const server = new StdioServer(session, options.host === undefined ? host : undefined)
  await server.start(options)
  return server
}

class StdioServer implements McpStdioServer {
  readonly closed: Promise<void>
  readonly #session: McpSession
  /** Its own, to close. */
  readonly #host: ShellHost<EngineName> | undefined
  #end: () => void = () => undefined

  constructor(session: McpSession, host: ShellHost<EngineName> | undefined) {
    this.#session = session
    this.#host = host
    this.closed = new Promise<void>((resolve) => {
      this.#end = resolve
    }).then(() => this.#finish())
  }

  async start({ stdin = process.stdin, stdout = process.stdout, log }: ServeStdioOptions): Promise<void> {
    const { server } = this.#session.server
    const transport = new StdioServerTransport(stdin, stdout)
    transport.onclose = () => this.#end()
    server.onerror = (error) => log?.(`A message was not understood, or not sent: ${firstLine(error)}`)
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

  /** What was asked before the input ended is answered, if it does not take long. */
  async #inputEnded(): Promise<void> {
    const given = new AbortController()
    await nextLoop()
    await Promise.race([this.#session.sandbox.rest(), wait(grace, undefined, { signal: given.signal })])
    given.abort()
    await nextLoop()
    this.#end()
  }

  async #finish(): Promise<void> {
    await this.#session.server.close()
    await this.#session.sandbox.close()
    await this.#host?.close()
  }
}

function firstLine({ message }: Error): string {
  return message.split('\n', 1).join('')
}

import type { ShellHostOptions } from '../shell-host/options.ts'
import type { SandboxConfig } from '../shell-host/sandbox-config.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import type { SnapshotStore } from '../snapshot/store.ts'
import { hostOptionsFor } from './http/host-options.ts'
import type { ServeHttpOptions } from './http/options.ts'
import { resolveMaxSessions } from './http/resolve-options.ts'
import { serveHttp } from './http/serve-http.ts'
import { type ServeStdioOptions, serveStdio } from './serve-stdio.ts'

/** Options of {@link runMcp}: those of the servers, and what a command line adds. */
export interface RunMcpOptions
  extends Omit<ServeHttpOptions, 'port' | 'host' | 'keepSessions' | 'log' | 'sandbox' | 'beforeClose'> {
  /** The config of every session's sandbox. */
  readonly sandbox?: SandboxConfig | undefined
  /**
   * Serves over HTTP on this port.
   *
   * @default undefined (standard input and output)
   */
  readonly http?: number | undefined
  /**
   * Where the sandboxes of clients are stored, for later sessions of theirs.
   *
   * @default undefined (they are closed with their sessions)
   */
  readonly store?: SnapshotStore | undefined
  /**
   * What the sandbox of standard input and output is stored under.
   *
   * @default 'default'
   */
  readonly session?: string | undefined
  /** Options of the host whose sandboxes they are. */
  readonly hostOptions?: ShellHostOptions | undefined
}

/** What the command has of its process. */
export interface McpSurroundings {
  /** Takes a line for standard error. */
  readonly log: (line: string) => void
  /** Ends the server: calls under way have a few seconds. */
  readonly signal: AbortSignal
}

/** The variable that has the token where no option does: a command line is for all processes to see. */
const tokenVariable = 'STRANDS_SHELL_MCP_TOKEN'
/** Seconds that calls under way have when the server is told to stop. */
const grace = 5

/**
 * Serves until the input ends or the signal is aborted; gives the exit code. Standard output is the protocol's alone.
 *
 * @throws {SandboxConfigError} naming the option or the field of the config that is not valid
 */
export async function runMcp(options: RunMcpOptions, { log, signal }: McpSurroundings): Promise<number> {
  const { http, hostOptions, store, session = 'default', ...rest } = options
  const { sandbox, tools, changeTools, name, version, idleTimeout } = rest
  const served = { ...rest, token: rest.token ?? (process.env[tokenVariable] || undefined), log }
  const places = http === undefined ? {} : hostOptionsFor(resolveMaxSessions(served))
  const host = new ShellHost({ ...places, ...hostOptions, hibernate: store && { store } })
  host.on('storeFailed', ({ id = '', reason }) => log(`The session ${id} was not stored: ${reason}.`))
  const common = { sandbox, tools, changeTools, name, version, idleTimeout, host, log }
  const keepSessions = store !== undefined
  try {
    if (http === undefined)
      await overStdio({ ...common, session: keepSessions ? session : undefined }, signal)
    else await overHttp({ ...served, host, keepSessions, port: http }, signal)
    if (keepSessions) await host.drain({ grace, hibernate: true })
  } finally {
    await host.close()
  }
  return 0
}

async function overStdio(options: ServeStdioOptions, signal: AbortSignal): Promise<void> {
  const server = await serveStdio(options)
  await Promise.race([server.closed, aborted(signal)])
  await server.close()
}

async function overHttp(options: ServeHttpOptions, signal: AbortSignal): Promise<void> {
  const server = await serveHttp(options)
  options.log?.(`Serving MCP at ${server.url}.`)
  await aborted(signal)
  await server.close({ grace })
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

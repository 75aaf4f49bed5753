import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { EngineName } from '../contract/lease.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'
import { sandboxTools } from '../tools/sandbox-tools.ts'
import { makeChangeTools } from './change-tools/make-change-tools.ts'
import { type McpServerOptions, resolveMcpOptions, sessionOptions } from './options.ts'
import { registerResources } from './register-resources.ts'
import { registerTools } from './register-tools.ts'
import { McpServer as Server } from './sdk.ts'
import { type KeptSandbox, SessionSandbox, type SessionSandboxOptions } from './session-sandbox.ts'

/** One client's server with its sandbox. */
export interface McpSession {
  readonly server: McpServer
  readonly sandbox: SessionSandbox
}

/** Whose sandbox it is, for who runs the server. */
export interface SessionOwner extends Pick<SessionSandboxOptions, 'beforeClose'> {
  /**
   * What the host stores the sandbox under, and finds it again.
   *
   * @default undefined (it is closed with its session)
   */
  readonly storedAs?: string | undefined
  readonly log?: ((line: string) => void) | undefined
}

/**
 * Makes the server of one session: the tools of one sandbox of `host`, and its bound directories as resources. The
 * sandbox opens at the first call, and is closed when the connection closes or when it is idle.
 *
 * A server is for one connection: `connect` it to a transport of your own, or use {@link serveStdio} or
 * {@link serveHttp}. Who replaces its `server.onclose` calls the one that was there.
 *
 * @throws {SandboxConfigError} naming the option or the field of the config that is not valid
 */
export function createMcpServer(host: ShellHost<EngineName>, options: McpServerOptions = {}): McpServer {
  optionsOf<McpServerOptions>(options, sessionOptions)
  return createSession(host, options).server
}

/** The same, with the sandbox at hand; of options with further names. */
export function createSession(
  host: ShellHost<EngineName>,
  options: McpServerOptions,
  { beforeClose, storedAs, log }: SessionOwner = {},
): McpSession {
  const { sandbox: config, tools, changeTools, name, version, idleTimeout } = resolveMcpOptions(options)
  const kept: KeptSandbox | undefined =
    storedAs === undefined
      ? undefined
      : {
          open: () => host.getOrOpen<EngineName>(storedAs, config),
          failed: (error) => log?.(`The session ${storedAs} was not stored: ${errorMessage(error)}`),
        }
  const sandbox = new SessionSandbox(() => host.sandbox<EngineName>(config), {
    idleTimeout,
    beforeClose,
    kept,
  })
  const { summary } = sandbox.current
  const hints = { isBound: summary.binds.length > 0, isKept: kept !== undefined }
  const server = new Server({ name, version }, { instructions: instructions(hints) })
  registerTools(server, sandbox, (one) => [
    ...sandboxTools(one, tools),
    ...makeChangeTools(one, changeTools, tools),
  ])
  registerResources(server, sandbox, summary.binds)
  server.server.onclose = () => sandbox.close()
  return { server, sandbox }
}

function instructions({ isBound, isKept }: { readonly isBound: boolean; readonly isKept: boolean }): string {
  const lasts = isKept ? 'from call to call, and to later sessions of this client' : 'from call to call'
  const files = isBound ? ' Directories of the host that it has are listed as resources.' : ''
  return `These tools work in one sandbox that belongs to this session: its files, variables and working directory last ${lasts}.${files}`
}

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { EngineName } from '../contract/lease.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'
import { sandboxTools } from '../tools/sandbox-tools.ts'
import { makeChangeTools } from './change-tools/make-change-tools.ts'
import { type McpServerOptions, resolveMcpOptions, sessionOptions } from './options.ts'
import { registerResources } from './register-resources.ts'
import { registerTools } from './register-tools.ts'
import { McpServer as Server } from './sdk.ts'
import { SessionSandbox, type SessionSandboxOptions } from './session-sandbox.ts'

/** One client's server with its sandbox. */
export interface McpSession {
  readonly server: McpServer
  readonly sandbox: SessionSandbox
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
  beforeClose?: SessionSandboxOptions['beforeClose'],
): McpSession {
  const { sandbox: config, tools, changeTools, name, version, idleTimeout } = resolveMcpOptions(options)
  const sandbox = new SessionSandbox(() => host.sandbox<EngineName>(config), { idleTimeout, beforeClose })
  const { summary } = sandbox.current
  const server = new Server({ name, version }, { instructions: instructions(summary.binds.length > 0) })
  registerTools(server, sandbox, (one) => [
    ...sandboxTools(one, tools),
    ...makeChangeTools(one, changeTools, tools),
  ])
  registerResources(server, sandbox, summary.binds)
  server.server.onclose = () => sandbox.close()
  return { server, sandbox }
}

function instructions(bound: boolean): string {
  const files = bound ? ' Directories of the host that it has are listed as resources.' : ''
  return `These tools work in one sandbox that belongs to this session: its files, variables and working directory last from call to call.${files}`
}

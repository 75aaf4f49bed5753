export type {
  HostCommand,
  HostCommandContext,
  HostCommandMap,
  HostCommandResult,
} from '../config/host-command.ts'
export type { BeforeClose } from './before-close.ts'
export { type CommandClient, commandsFromMcp } from './commands.ts'
export { createMcpServer } from './create-server.ts'
export { createHttpHandler, type McpHttpHandler, type McpHttpSessions } from './http/handler.ts'
export type {
  HttpHandlerOptions,
  McpClientSession,
  SandboxOfClient,
  ServeHttpOptions,
} from './http/options.ts'
export { type McpHttpServer, serveHttp } from './http/serve-http.ts'
export type { McpSandbox } from './mcp-sandbox.ts'
export type { ChangeToolId, McpServerOptions } from './options.ts'
export { type McpStdioServer, type ServeStdioOptions, serveStdio } from './serve-stdio.ts'

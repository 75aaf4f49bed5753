import { requirePeer } from '../tools/require-peer.ts'

const [server, stdio, http, types] = await requirePeer('@modelcontextprotocol/sdk', () =>
  Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]),
)

/** What is used of the SDK, of whichever copy is installed. */
export const { McpServer, ResourceTemplate } = server
export const { StdioServerTransport } = stdio
export const { StreamableHTTPServerTransport } = http
export const { CancelledNotificationSchema, ErrorCode, isInitializeRequest, McpError } = types

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { isWithin } from '../sandbox/is-within.ts'
import { readResource } from './read-resource.ts'
import { pathOf, uriOf } from './resource-uri.ts'
import { ErrorCode, McpError, ResourceTemplate } from './sdk.ts'
import type { SessionSandbox } from './session-sandbox.ts'

/** A host directory in the sandbox. */
export interface BoundDirectory {
  /** Absolute and normalized. */
  readonly destination: string
  readonly mode: string
  readonly readonly: boolean
}

/** Lists the bound directories as resources, with a template each for what is below. */
export function registerResources(
  server: McpServer,
  session: SessionSandbox,
  binds: readonly BoundDirectory[],
): void {
  for (const bind of binds) {
    const { destination } = bind
    const uri = uriOf(destination)
    const read = (address: URL, { signal }: { readonly signal: AbortSignal }) => {
      const path = pathOf(address)
      if (path === undefined || !isWithin(destination, path)) throw outside(address, destination)
      return session.use(
        async (sandbox): Promise<ReadResourceResult> => ({
          contents: [{ uri: address.href, ...(await readResource(sandbox, destination, path, signal)) }],
        }),
      )
    }
    server.registerResource(
      destination,
      uri,
      { title: destination, description: describe(bind), mimeType: 'inode/directory' },
      (address, context) => read(address, context),
    )
    const below = destination === '/' ? uri : `${uri}/`
    server.registerResource(
      `${destination} (files)`,
      new ResourceTemplate(`${below}{+path}`, { list: undefined }),
      { title: `Files below ${destination}`, description: 'A file, or the list of a directory.' },
      (address, _variables, context) => read(address, context),
    )
  }
}

function describe({ destination, mode, readonly }: BoundDirectory): string {
  if (readonly) return `${destination}: a directory of the host, read-only.`
  if (mode === 'copy') return `${destination}: a copy of a directory of the host, which sees no change.`
  return `${destination}: a directory of the host; what is written here reaches it.`
}

function outside(address: URL, destination: string): Error {
  return new McpError(ErrorCode.InvalidParams, `${address.href} is not a path at or below ${destination}.`)
}

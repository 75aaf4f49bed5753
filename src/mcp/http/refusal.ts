import type { ServerResponse } from 'node:http'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'

/** What a refusal says besides its message. */
interface RefusalDetails {
  /** The code of JSON-RPC. */
  readonly code?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The message that it answers, where that was read. */
  readonly id?: RequestId | undefined
}

/** An answer to a request that is not let through, as the protocol has them. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly id: RequestId | null

  constructor(status: number, message: string, { code = -32_000, headers = {}, id }: RefusalDetails = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
    this.id = id ?? null
  }
}

/** For requests to a server that closes. */
export function aboutToStop(): Refusal {
  return new Refusal(503, 'The server is about to stop.')
}

/** Sends it, and ends the connection: what the client still sends is not read. */
export function sendRefusal(response: ServerResponse, { status, code, message, headers, id }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
    ...headers,
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }))
}

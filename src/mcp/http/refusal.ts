import type { ServerResponse } from 'node:http'

/** An answer to a request that is not let through, as the protocol has them. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** The code of JSON-RPC. */
  readonly code: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    {
      code = -32_000,
      headers = {},
    }: { readonly code?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** Sends it, and ends the connection: what the client still sends is not read. */
export function sendRefusal(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
    ...headers,
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}

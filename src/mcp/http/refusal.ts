import type { ServerResponse } from 'node:http'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { Refusal } from '../../http/refusal.ts'

/** What a refusal says besides its message. */
interface RefusalDetails {
  /** The code of JSON-RPC. */
  readonly code: number
  readonly headers?: Readonly<Record<string, string>>
  /** The message that it answers, where that was read. */
  readonly id?: RequestId | undefined
}

/** A refusal with a code of its own. */
export class RpcRefusal extends Refusal {
  readonly code: number
  readonly id: RequestId | undefined

  constructor(status: number, message: string, { code, headers, id }: RefusalDetails) {
    super(status, message, { headers })
    this.code = code
    this.id = id
  }
}

/** Sends it as the protocol has errors, and ends the connection: what the client still sends is not read. */
export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, message, headers } = refusal
  const { code, id = null } = refusal instanceof RpcRefusal ? refusal : { code: -32_000 }
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
    ...headers,
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }))
}

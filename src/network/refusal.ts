import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PROXY_STATUS, PROXY_STATUS_NAME } from '../contract/proxy-status.ts'
import { http } from './node-http.ts'
import { ANSWERS, type EgressReason } from './reasons.ts'

/** Thrown where an exchange cannot go on. */
export class EgressRefusal extends Error {
  readonly reason: EgressReason

  constructor(reason: EgressReason) {
    super(ANSWERS[reason][1])
    this.reason = reason
  }
}

/** Faults of the host, and of the way to it: without a proxy there were no answer either, and the command failed. */
const unanswered: ReadonlySet<EgressReason> = new Set([
  'NAME_NOT_FOUND',
  'CONNECT_FAILED',
  'CONNECT_TIMEOUT',
  'ORIGIN_FAILED',
  'IDLE_TIMEOUT',
  'TOTAL_TIMEOUT',
])

/** Refuses a request, and ends its connection. */
export function answerRefusal(response: ServerResponse, reason: EgressReason): void {
  if (unanswered.has(reason)) {
    response.destroy()
    return
  }
  const { status, headers, body } = refusal(reason)
  response.writeHead(status, headers).end(body)
}

/** {@link answerRefusal} on a socket that no HTTP parser holds. */
export function writeRefusal(socket: Socket, reason: EgressReason): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = refusal(reason)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // What the client still sends is read and dropped: unread, it would have the system reset the connection.
  socket.resume()
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroySoon(),
  )
}

function refusal(reason: EgressReason) {
  const [status, sentence] = ANSWERS[reason]
  const body = `egress refused: ${sentence} (${reason})\n`
  const headers = {
    'content-type': 'text/plain',
    'content-length': String(body.length),
    connection: 'close',
    [PROXY_STATUS]: `${PROXY_STATUS_NAME}; error=${reason}`,
    ...(reason === 'UNAUTHORIZED' && { 'proxy-authenticate': 'Basic realm="egress"' }),
  }
  return { status, headers, body }
}

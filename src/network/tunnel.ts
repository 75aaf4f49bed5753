import type { Socket } from 'node:net'
import { carry } from './carry.ts'
import type { Exchange } from './exchange.ts'
import type { EgressLimits } from './limits.ts'

/** Joins a client and a connected origin, until both have ended. `head` is what the client has sent already. */
export function tunnel(
  exchange: Exchange,
  client: Socket,
  head: Buffer,
  origin: Socket,
  limits: EgressLimits,
): void {
  const mayPass = () => {
    if (exchange.sent + exchange.received > limits.tunnelBytes) exchange.end('TUNNEL_TOO_LARGE')
    return !exchange.over
  }
  const send = (bytes: number) => {
    exchange.sent += bytes
    return mayPass()
  }
  const receive = (bytes: number) => {
    exchange.received += bytes
    return mayPass()
  }
  origin.on('error', () => exchange.end('ORIGIN_FAILED'))
  origin.on('close', () => {
    if (client.writableFinished) exchange.end()
    else client.end(() => exchange.end())
  })
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0 && send(head.length)) origin.write(head)
  carry(client, origin, send)
  carry(origin, client, receive)
}

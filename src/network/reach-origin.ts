import type { Socket } from 'node:net'
import { clearTimeout, setTimeout } from '../async/clock.ts'
import { type Connect, connected, permittedAddresses, type Resolve } from './connector.ts'
import type { Exchange } from './exchange.ts'
import type { EgressLimits } from './limits.ts'
import type { EgressReason } from './reasons.ts'
import { EgressRefusal } from './refusal.ts'
import type { EgressTarget } from './targets.ts'

/** How a proxy reaches origins. */
export interface OriginAccess {
  readonly resolve: Resolve
  readonly connect: Connect
  readonly limits: EgressLimits
}

/**
 * Takes an exchange from its checks (`fault`) to a connected origin, which `join` is given, under the limits of
 * count and time. Where it does not come to that, the exchange has ended.
 */
export async function reachOrigin<Target extends EgressTarget>(
  exchange: Exchange,
  fault: EgressReason | undefined,
  target: Target | undefined,
  { resolve, connect, limits }: OriginAccess,
  join: (origin: Socket, target: Target) => void,
): Promise<void> {
  if (fault !== undefined || target === undefined) return exchange.end(fault ?? 'BAD_REQUEST')
  if (isCrowded(exchange, limits)) return exchange.end('CONNECTION_LIMIT')
  const total = setTimeout(() => exchange.end('TOTAL_TIMEOUT'), limits.totalTimeout * 1000).unref()
  exchange.atEnd(() => clearTimeout(total))
  try {
    const addresses = await permittedAddresses(target, resolve, limits.connectTimeout)
    if (exchange.over) return
    exchange.allow(addresses[0].address)
    const origin = connect(addresses, target.port).unref()
    exchange.atEnd(() => origin.destroy())
    await connected(origin, limits.connectTimeout)
    if (exchange.over) return
    origin.setTimeout(limits.idleTimeout * 1000, () => exchange.end('IDLE_TIMEOUT'))
    join(origin, target)
  } catch (error) {
    exchange.end(error instanceof EgressRefusal ? error.reason : 'CONNECT_FAILED')
  }
}

function isCrowded({ facts }: Exchange, { connections }: EgressLimits): boolean {
  const { sockets, exchanges } = facts.owner
  return sockets.size > connections || exchanges.size > connections
}

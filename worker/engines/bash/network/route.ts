import type { Socket } from 'node:net'

/** A connection on which one request to an address may be sent. */
export interface Connection {
  readonly socket: Socket
  /** The target of the request line. */
  readonly target: string
  /** Headers that the way asks for, names and values alternating. */
  readonly headers: readonly string[]
  /** The first address that is connected to; undefined where a proxy connects. */
  readonly address?: string
}

/** A way to the network that lets only allowed addresses through. */
export interface Route {
  /** True where a proxy tells of what passes: of these the worker tells only what never came to the proxy. */
  readonly isTold: boolean
  /** @throws RequestFailure where the address is not allowed, or cannot be reached */
  open(url: URL, signal: AbortSignal): Promise<Connection>
  /** The failure that an answer stands for; undefined where it comes from the address that was asked. */
  refusalIn(headers: readonly (readonly [name: string, value: string])[], url: URL): Error | undefined
}

/** Path and query as they are sent: a URL parser leaves `\` in a query as it is. */
export const targetOf = ({ pathname, search }: URL) => (pathname + search).replaceAll('\\', '%5C')

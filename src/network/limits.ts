/** What one cell, or one exchange of it, may use of the proxy. Durations are seconds, sizes bytes. */
export interface EgressLimits {
  /** Connections to the proxy that a cell may hold at once; as many exchanges may be under way. */
  readonly connections: number
  /** Connections to the proxy at once, those included that have not shown a token yet. */
  readonly allConnections: number
  /** A request line with its headers; and the headers of a response. */
  readonly headerBytes: number
  /** The body of a request. */
  readonly requestBytes: number
  /** The body of a response, as it comes over the wire. */
  readonly responseBytes: number
  /** What a tunnel carries, both ways together. */
  readonly tunnelBytes: number
  /** Each of: sending the headers of a request, resolving a name, connecting to an address of it. */
  readonly connectTimeout: number
  /** An exchange in which no byte moves. */
  readonly idleTimeout: number
  /** A whole exchange. */
  readonly totalTimeout: number
}

/** The limits of a proxy that was given no others. */
export const EGRESS_LIMITS: EgressLimits = {
  connections: 256,
  allConnections: 8192,
  headerBytes: 16 * 1024,
  requestBytes: 64 * 1024 * 1024,
  responseBytes: 256 * 1024 * 1024,
  tunnelBytes: 512 * 1024 * 1024,
  connectTimeout: 10,
  idleTimeout: 60,
  totalTimeout: 600,
}

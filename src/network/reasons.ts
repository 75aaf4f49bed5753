/** Why an exchange was refused, or ended before its end. */
export type EgressReason = keyof typeof ANSWERS

/** How a client is told, where it can still be told: a status and a sentence. */
export const ANSWERS = {
  /** No token, or one that no cell has. */
  UNAUTHORIZED: [407, 'The proxy wants the credentials it was given out with.'],
  /** The cell has no network. */
  NETWORK_NONE: [403, 'This sandbox has no network.'],
  /** No entry of the allowlist names the address. */
  NOT_ALLOWED: [403, 'The allowlist of this sandbox does not name this address.'],
  /** Every address of the host is private, or otherwise not a public one. */
  PRIVATE_ADDRESS: [403, 'This host has no public address.'],
  /** The request is malformed, or can be read in more than one way. */
  BAD_REQUEST: [400, 'The request is malformed or ambiguous.'],
  METHOD: [405, 'This method is not allowed.'],
  /** WebSocket and other upgrades. */
  UPGRADE: [501, 'Upgrades of a connection are not allowed.'],
  HEADERS_TOO_LARGE: [431, 'The headers are too large.'],
  HEADERS_TIMEOUT: [408, 'The headers took too long.'],
  CONNECTION_LIMIT: [503, 'Too many connections of this sandbox are open.'],
  NAME_NOT_FOUND: [502, 'The name of the host could not be resolved.'],
  CONNECT_FAILED: [502, 'The host could not be reached.'],
  CONNECT_TIMEOUT: [504, 'The host took too long to be reached.'],
  /** The origin hung up, or sent what is not HTTP. */
  ORIGIN_FAILED: [502, 'The host broke off the exchange.'],
  REQUEST_TOO_LARGE: [413, 'The body of the request is too large.'],
  RESPONSE_TOO_LARGE: [502, 'The body of the response is too large.'],
  TUNNEL_TOO_LARGE: [502, 'The tunnel carried too much.'],
  IDLE_TIMEOUT: [504, 'Nothing moved for too long.'],
  TOTAL_TIMEOUT: [504, 'The exchange took too long.'],
  /** The client hung up. */
  ABORTED: [499, 'The client hung up.'],
  /** The policy of the cell changed and no longer allows the tunnel. */
  POLICY_CHANGED: [403, 'The policy of this sandbox changed.'],
  /** The cell was let go of, or the proxy closed. */
  REVOKED: [403, 'This sandbox is closed.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

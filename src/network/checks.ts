import type { IncomingMessage } from 'node:http'
import type { EgressLimits } from './limits.ts'
import type { EgressReason } from './reasons.ts'
import type { EgressRules } from './rules.ts'
import type { EgressTarget, HttpTarget } from './targets.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Why a request may not go out; undefined where its address is all that is left to check. */
export function faultOfRequest(
  request: IncomingMessage,
  target: HttpTarget | undefined,
  rules: EgressRules,
  limits: EgressLimits,
): EgressReason | undefined {
  const { headers } = request
  if (rules.network === 'none') return 'NETWORK_NONE'
  if (isMalformed(request) || target === undefined) return 'BAD_REQUEST'
  if (!METHODS.has(request.method ?? '')) return 'METHOD'
  if (headers.upgrade !== undefined) return 'UPGRADE'
  if (!['chunked', undefined].includes(headers['transfer-encoding']?.toLowerCase())) return 'BAD_REQUEST'
  if (!rules.allowsRequest(target)) return 'NOT_ALLOWED'
  return Number(headers['content-length'] ?? 0) > limits.requestBytes ? 'REQUEST_TOO_LARGE' : undefined
}

/** {@link faultOfRequest} for a tunnel. One with a body is refused: where its bytes belong is not defined. */
export function faultOfTunnel(
  request: IncomingMessage,
  target: EgressTarget | undefined,
  rules: EgressRules,
): EgressReason | undefined {
  const { headers } = request
  if (rules.network === 'none') return 'NETWORK_NONE'
  if (isMalformed(request) || target === undefined) return 'BAD_REQUEST'
  const framed = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
  if (framed) return 'BAD_REQUEST'
  return rules.allowsTunnel(target) ? undefined : 'NOT_ALLOWED'
}

/** The server takes HTTP/1.0 and requests without a host, so that their refusal is told like every other. */
function isMalformed({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion !== '1.1' || headers.host === undefined
}

import type { ErrorCode } from '../contract/errors.ts'
import { Refusal } from '../http/refusal.ts'
import { type ProblemData, problemOf, SERVICE_STATUS, type ServiceCode } from '../protocol/problem.ts'
import { problemOfError } from '../protocol/problem-of-error.ts'
import { isSandboxError } from '../sandbox/known-error.ts'
import { MissingPeer } from '../tools/require-peer.ts'

/** A request that the service refuses. */
export class ServiceProblem extends Refusal {
  readonly code: ServiceCode
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    code: ServiceCode,
    message: string,
    {
      headers,
      ...fields
    }: {
      readonly headers?: Readonly<Record<string, string>>
      readonly field?: string
      readonly template?: string
    } = {},
  ) {
    super(SERVICE_STATUS[code], message, { headers })
    this.code = code
    this.fields = fields
  }
}

/** The codes of refusals that know their status alone. */
const codes = new Map<number, ServiceCode>([
  [400, 'INVALID_REQUEST'],
  [401, 'UNAUTHORIZED'],
  [403, 'FORBIDDEN'],
  [413, 'TOO_LARGE'],
  [429, 'TOO_MANY_REQUESTS'],
  [503, 'UNAVAILABLE'],
])

/** What a client reads of something that was thrown, and with which headers. Undefined: of a bug, it reads nothing. */
export function problemFor(
  error: unknown,
): { readonly problem: ProblemData; readonly headers: Readonly<Record<string, string>> } | undefined {
  if (error instanceof ServiceProblem)
    return { problem: problemOf(error.code, error.message, error.fields), headers: error.headers }
  if (error instanceof Refusal)
    return {
      problem: problemOf(codes.get(error.status) ?? 'INTERNAL', error.message),
      headers: error.headers,
    }
  if (error instanceof MissingPeer) return { problem: problemOf('NOT_INSTALLED', error.message), headers: {} }
  if (!isSandboxError(error)) return undefined
  const code: ErrorCode = error.code
  return {
    problem: problemOfError(error),
    headers: code === 'HOST_SATURATED' ? { 'retry-after': '1' } : {},
  }
}

/** Whether a problem is that the call was not begun with, and may be asked for again. */
export function saysLater(problem: ProblemData | undefined): boolean {
  return problem?.status === 429 || problem?.status === 503
}

/** What a client reads of a bug. */
export function internalProblem(): ProblemData {
  return problemOf('INTERNAL', 'The service failed. Its log says how.')
}

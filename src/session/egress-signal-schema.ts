import { type EgressEndSignal, type EgressSignal, LONGEST_TOLD_URL } from '../contract/signals.ts'
import { ANSWERS, type EgressReason } from '../network/reasons.ts'
import { count, exactly, flag, objectOf, orAbsent, valueThat } from '../sandbox/schema-parts.ts'

/** What a worker tells of a request, with a reason that is one. */
export type CheckedEgressSignal = (EgressSignal | EgressEndSignal) & { readonly reason?: EgressReason }

/** A text of visible ASCII characters: a listener may print it. */
const shortText = (longest: number) =>
  valueThat(
    (value): value is string =>
      typeof value === 'string' && value.length <= longest && /^[\x21-\x7e]*$/.test(value),
  )

const method = shortText(32)
const url = shortText(LONGEST_TOLD_URL)
const address = shortText(64)
const reason = valueThat(
  (value): value is EgressReason => typeof value === 'string' && Object.hasOwn(ANSWERS, value),
)
const duration = valueThat((value): value is number => Number.isFinite(value) && Number(value) >= 0)
const status = valueThat(
  (value): value is number => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999,
)

/** What a worker tells before a request goes out. */
export const egressSignalSchema = objectOf<EgressSignal & { readonly reason?: EgressReason }>({
  kind: exactly('egress'),
  method,
  url,
  allowed: flag,
  address: orAbsent(address),
  reason: orAbsent(reason),
})

/** What a worker tells when a request is over. */
export const egressEndSignalSchema = objectOf<EgressEndSignal & { readonly reason?: EgressReason }>({
  kind: exactly('egressEnd'),
  method,
  url,
  status: orAbsent(status),
  sent: count,
  received: count,
  duration,
  reason: orAbsent(reason),
})

import { types } from 'node:util'
import type { LeaseReply } from '../../contract/lease.ts'
import { errorSchema } from '../../sandbox/error-schema.ts'
import {
  count,
  eitherOf,
  exactly,
  matches,
  objectOf,
  orAbsent,
  valueThat,
} from '../../sandbox/schema-parts.ts'
import { capabilitiesSchema } from './capabilities-schema.ts'
import { allowanceSeconds, seconds } from './seconds-schema.ts'

const gate = valueThat(
  (value): value is SharedArrayBuffer =>
    types.isSharedArrayBuffer(value) && value.byteLength === Int32Array.BYTES_PER_ELEMENT,
)

const leaseReplySchema = eitherOf<LeaseReply>([
  objectOf<Extract<LeaseReply, { ok: true }>>({
    ok: exactly(true),
    gate,
    timeout: valueThat((value): value is number => matches(seconds, value) && value > 0),
    allowance: allowanceSeconds,
    capabilities: capabilitiesSchema,
    pipe: orAbsent(count),
  }),
  objectOf<Extract<LeaseReply, { ok: false }>>({ ok: exactly(false), gate, error: errorSchema }),
])

/** True for a worker's answer of the contract's shape. */
export function isLeaseReply(reply: unknown): reply is LeaseReply {
  return matches(leaseReplySchema, reply)
}

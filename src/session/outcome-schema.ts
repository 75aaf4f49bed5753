import type { ConflictData, Outcome } from '../contract/shell-api.ts'
import { errorSchema } from '../sandbox/error-schema.ts'
import { isRecord } from '../sandbox/is-record.ts'
import {
  eitherOf,
  exactly,
  listOf,
  matches,
  objectOf,
  orAbsent,
  text,
  valueThat,
} from '../sandbox/schema-parts.ts'

/** Conflicts that a call met on the way. */
export const conflictsSchema = listOf(
  objectOf<ConflictData>({ path: text, hostPath: text, kept: orAbsent(text) }),
)

type Success = Extract<Outcome<unknown>, { ok: true }>
type Failure = Extract<Outcome<unknown>, { ok: false }>

/** A reply, whatever its value is. */
export const outcomeSchema = eitherOf<Outcome<unknown>>([
  objectOf<Success>({
    ok: exactly(true),
    value: valueThat((value): value is unknown => true),
    conflicts: orAbsent(conflictsSchema),
  }),
  objectOf<Failure>({ ok: exactly(false), error: errorSchema, conflicts: orAbsent(conflictsSchema) }),
])

/** What nearly every reply is. The schema takes 5 us for it. */
function isPlainSuccess(reply: unknown): boolean {
  return isRecord(reply) && reply['ok'] === true && 'value' in reply && reply['conflicts'] === undefined
}

/** True for a reply of the contract's shape, whatever its value is. */
export function isOutcome(reply: unknown): reply is Outcome<unknown> {
  return isPlainSuccess(reply) || matches(outcomeSchema, reply)
}

import { isRecord } from '../../sandbox/is-record.ts'
import type { LogLine } from './line.ts'

/** Which lines are printed. */
export interface FilterOptions {
  readonly kind?: readonly string[]
  readonly id?: readonly string[]
  readonly label?: readonly (readonly [name: string, value: string])[]
  readonly failed?: boolean
  /** Milliseconds since the epoch. */
  readonly since?: number
  /** Milliseconds since the epoch. */
  readonly until?: number
}

/** Kinds that tell of nothing but a failure. */
const failures = new Set(['lost', 'rejected', 'storeFailed', 'conflict'])

/** Whether a line is one of those that are asked for. */
export function isWanted(line: LogLine, { kind, id, label, failed, since, until }: FilterOptions): boolean {
  const time = Date.parse(line.time)
  if (since !== undefined && time < since) return false
  if (until !== undefined && time >= until) return false
  if (kind !== undefined && !kind.includes(line.kind)) return false
  // Lines that are missing may be anyone's.
  if (line.kind === 'dropped') return true
  if (failed === true && !hasFailed(line)) return false
  const sandboxes = sandboxesOf(line)
  if (id !== undefined && !sandboxes.some((one) => id.some((wanted) => one['id'] === wanted))) return false
  return label === undefined || sandboxes.some((one) => hasLabels(one, label))
}

/** Who it can be about: a request of a cell may be of one of several. */
function sandboxesOf({ fields }: LogLine): readonly Readonly<Record<string, unknown>>[] {
  const { candidates } = fields
  return [fields, ...(Array.isArray(candidates) ? candidates.filter(isRecord) : [])]
}

function hasLabels(
  { labels }: Readonly<Record<string, unknown>>,
  wanted: NonNullable<FilterOptions['label']>,
): boolean {
  return isRecord(labels) && wanted.every(([name, value]) => labels[name] === value)
}

function hasFailed({ kind, fields }: LogLine): boolean {
  const { error, exitCode, denied, timedOut, verdict, allowed, reason } = fields
  if (failures.has(kind)) return true
  if (kind === 'egress') return allowed === false
  if (kind === 'egressEnd') return reason !== undefined
  if (kind === 'policy') return verdict === 'deny'
  if (kind !== 'command' && kind !== 'file') return false
  return error !== undefined || denied === true || timedOut === true || (kind === 'command' && exitCode !== 0)
}

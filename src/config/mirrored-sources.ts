import type { BindRecord } from '../contract/shell-record.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { isWithin } from '../sandbox/is-within.ts'
import { quote } from '../sandbox/show-value.ts'

/**
 * Refuses writable direct binds of which two would mirror the same files: what the one writes, the other
 * would take for a change of the host. Sources are compared as they are written; links are not followed.
 *
 * @throws SandboxConfigError naming the source of the later bind.
 */
export function refuseSharedSources(binds: readonly BindRecord[]): void {
  for (const [index, bind] of binds.entries()) {
    if (!isMirrored(bind)) continue
    const other = binds.slice(0, index).findIndex((earlier) => isMirrored(earlier) && overlap(earlier, bind))
    const { source } = binds[other] ?? {}
    if (source === undefined) continue
    const field = `binds[${index}].source`
    throw new SandboxConfigError(
      `Invalid sandbox config: ${field} ${relation(bind.source, source)} that of binds[${other}], ${quote(source)}: both are writable direct binds and would write the same files. Keep one of them, or make the other readonly or a copy.`,
      { field },
    )
  }
}

function isMirrored({ mode, readonly }: BindRecord): boolean {
  return mode === 'direct' && !readonly
}

function overlap(one: BindRecord, other: BindRecord): boolean {
  return isWithin(other.source, one.source) || isWithin(one.source, other.source)
}

function relation(source: string, other: string): string {
  if (source === other) return 'is the same as'
  return isWithin(other, source) ? 'lies inside' : 'holds'
}

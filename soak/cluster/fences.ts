import { demand } from '../violation.ts'

/** A command of a session, as the audit log of a process has it. */
export interface AuditedCommand {
  /** Of the process. */
  readonly log: string
  readonly id: string
  readonly fence: number
  readonly call: string
  /** Milliseconds. */
  readonly begin: number
  readonly end: number
}

/** The commands of an audit log that belong to a fence. A process that was killed can leave the last line cut off. */
export function commandsIn(log: string, text: string): readonly AuditedCommand[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.flatMap((line) => {
    const { kind, id, labels, command, time, durationMs } = JSON.parse(line)
    const [, call] = /^: (\S+);/.exec(String(command)) ?? []
    if (kind !== 'command' || labels?.cluster_fence === undefined || call === undefined) return []
    const end = Date.parse(time)
    return [{ log, id, fence: Number(labels.cluster_fence), call, begin: end - durationMs, end }]
  })
}

/**
 * Looks at who ran what: each fence of a session belongs to one process, each call that was acknowledged ran in one, and those of a
 * fence ended before those of the next one began.
 *
 * @param acknowledged - the calls that were answered.
 * @param least - the part of them that must be in the logs, or these prove nothing. A process that is killed has not written its last
 * lines.
 * @returns how many fences there were, and how many of the calls were found
 * @throws {Violation}
 */
export function requireOneAtATime(
  commands: readonly AuditedCommand[],
  acknowledged: ReadonlySet<string>,
  least = 0.8,
): { readonly fences: number; readonly found: number } {
  const logs = new Map<string, string>()
  const calls = new Map<string, AuditedCommand>()
  const spans = new Map<string, Map<number, { begin: number; end: number }>>()
  for (const command of commands) {
    const { log, id, fence, call, begin, end } = command
    const tenure = `${id} ${fence}`
    demand((logs.get(tenure) ?? log) === log, () => `Two processes had ${id} with the fence ${fence}.`)
    logs.set(tenure, log)
    if (!acknowledged.has(call)) continue
    demand(!calls.has(call), () => `The call ${call} of ${id} ran twice, and was answered.`)
    calls.set(call, command)
    const ofSession = spans.get(id) ?? new Map<number, { begin: number; end: number }>()
    spans.set(id, ofSession)
    const span = ofSession.get(fence) ?? { begin, end }
    ofSession.set(fence, { begin: Math.min(span.begin, begin), end: Math.max(span.end, end) })
  }
  for (const [id, ofSession] of spans) {
    const inOrder = [...ofSession].sort(([one], [other]) => one - other)
    for (const [at, [fence, span]] of inOrder.entries()) {
      const before = inOrder[at - 1]
      demand(
        // Lines have whole milliseconds.
        before === undefined || before[1].end <= span.begin + 1,
        () => `${id} ran with the fences ${before?.[0]} and ${fence} at once.`,
      )
    }
  }
  demand(
    calls.size >= least * acknowledged.size,
    () => `The audit logs have ${calls.size} of ${acknowledged.size} calls that were answered.`,
  )
  return { fences: logs.size, found: calls.size }
}

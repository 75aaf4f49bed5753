import type { ConflictData, SandboxEvent, SandboxEventMap } from '../../src/index.ts'

/** What an event tells, without what tells one sandbox and one moment from others. */
export function fieldsOf<Event extends SandboxEvent>(data: SandboxEventMap[Event]): object {
  const { kind, time, sandbox, labels, shell, sequence, ...fields } = data
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'durationMs'))
}

/** What an event tells beside what every event does. */
export function ownFieldsOf<Event extends SandboxEvent>(data: SandboxEventMap[Event]): object {
  const about = new Set(['id', 'isolation', 'generation', 'candidates'])
  return Object.fromEntries(Object.entries(fieldsOf(data)).filter(([name]) => !about.has(name)))
}

/** The conflict that an event tells. */
export function conflictOf({ path, hostPath, kept }: ConflictData): ConflictData {
  return { path, hostPath, ...(kept === undefined ? {} : { kept }) }
}

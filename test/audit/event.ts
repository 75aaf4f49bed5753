import type { AuditEvent, CommandEventData, SandboxEventData } from '../../src/index.ts'

/** A command that has ended. */
export function command(
  text: string,
  fields: Partial<CommandEventData & Omit<SandboxEventData, 'kind'>> = {},
): AuditEvent {
  return {
    kind: 'command',
    time: Date.UTC(2026, 0, 31, 12),
    id: 'agent-7',
    sandbox: 1,
    labels: { tenant: 'a' },
    isolation: 'worker',
    shell: 'bash',
    generation: 1,
    sequence: 2,
    command: text,
    length: text.length,
    language: undefined,
    exitCode: 0,
    timedOut: false,
    truncated: false,
    stdoutBytes: 0,
    stderrBytes: 0,
    changed: [],
    error: undefined,
    durationMs: 1.5,
    waitedMs: 0,
    endedMs: 0,
    denied: false,
    ...fields,
  }
}

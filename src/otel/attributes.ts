import type { Attributes } from '@opentelemetry/api'
import type { CommandEventData, FileEventData, SandboxEventData } from '../host/event-data.ts'
import { outcomeOf } from '../telemetry/measure.ts'

// Names without `strands_shell.` are those of the semantic conventions of OpenTelemetry.

/** What every span says of its sandbox; of a request that is of no certain one, the labels that all possible ones have. */
export function sandboxAttributes(event: SandboxEventData): Attributes {
  const attributes: Attributes = event.sandbox === 0 ? {} : namesOf(event)
  for (const [name, value] of Object.entries(event.labels)) attributes[`strands_shell.label.${name}`] = value
  return attributes
}

function namesOf(event: SandboxEventData): Attributes {
  return {
    'strands_shell.sandbox.id': event.id,
    'strands_shell.sandbox.number': event.sandbox,
    'strands_shell.shell': event.shell,
    'strands_shell.isolation': event.isolation,
    'strands_shell.generation': event.generation,
  }
}

export function commandAttributes(event: CommandEventData, hasText: boolean): Attributes {
  const text = hasText ? event.command : undefined
  return {
    'process.command_line': event.language === undefined ? text : undefined,
    'strands_shell.code': event.language === undefined ? undefined : text,
    'strands_shell.code.language': event.language,
    'strands_shell.command.length': event.length,
    'process.exit.code': event.exitCode,
    'strands_shell.outcome': outcomeOf(event),
    'strands_shell.wait': event.waitedMs / 1000,
    'strands_shell.stdout.bytes': event.stdoutBytes,
    'strands_shell.stderr.bytes': event.stderrBytes,
    'strands_shell.truncated': event.truncated !== false,
    'strands_shell.changed': event.changed.length,
    'error.type': event.error,
  }
}

export function fileAttributes(event: FileEventData): Attributes {
  return {
    'file.path': event.path,
    'strands_shell.file.operation': event.operation,
    'strands_shell.file.to': event.to,
    'strands_shell.file.bytes': event.bytes,
    'strands_shell.denied': event.denied,
    'error.type': event.error,
  }
}

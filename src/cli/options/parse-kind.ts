import { SANDBOX_EVENTS } from '../../host/event-data.ts'
import { usageError } from '../failure.ts'

const kinds: readonly string[] = [...SANDBOX_EVENTS, 'dropped']

/** Takes the kind of a line of an audit log. @throws CliError naming the kinds */
export function parseKind(text: string): string {
  if (kinds.includes(text)) return text
  throw usageError(`--kind: expected one of ${kinds.join(', ')}, but got ${JSON.stringify(text)}.`)
}

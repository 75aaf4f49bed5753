import type { HostCommand } from '../../config/host-command.ts'
import { helpOf, usageOf } from './help.ts'
import { propertiesOf } from './input-schema.ts'
import { readArguments } from './read-arguments.ts'
import { UsageError } from './read-value.ts'

/** A tool of any framework. */
export interface CallableTool {
  readonly name: string
  readonly description: string
  /** The JSON schema of its input. */
  readonly schema: unknown
  /** Calls it, and gives text for standard output. @throws {UsageError} where the input is not valid */
  call(input: Record<string, unknown>, signal: AbortSignal): Promise<string>
}

/** A tool as a command: its words are read by its schema. Words that do not fit give exit code 2 and the usage. */
export function toolCommand({ name, description, schema, call }: CallableTool): HostCommand {
  const properties = propertiesOf(schema)
  return {
    description,
    help: helpOf(name, description, properties),
    async run(args, { stdin, signal }) {
      try {
        const output = await call(readArguments(args, properties, stdin), signal)
        return output === '' || output.endsWith('\n') ? output : `${output}\n`
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        const hint = `${usageOf(name, properties)}\nTry: ${name} --help\n`
        return { exitCode: 2, stderr: `${name}: ${error.message}\n${hint}` }
      }
    },
  }
}

/** What a tool gave, as text: JSON for what is no text. */
export function outputText(output: unknown): string {
  if (output === undefined) return ''
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

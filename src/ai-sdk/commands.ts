import type { asSchema as AsSchema, ToolExecutionOptions, ToolSet } from 'ai'
import type { HostCommand, HostCommandMap } from '../config/host-command.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { fieldPath } from '../sandbox/field-path.ts'
import { UsageError } from '../tools/commands/read-value.ts'
import { outputText, toolCommand } from '../tools/commands/tool-command.ts'
import { requirePeer } from '../tools/require-peer.ts'

const { asSchema }: { asSchema: typeof AsSchema } = await requirePeer('ai', () => import('ai'))

let lastCall = 0

/**
 * Makes commands of tools for the AI SDK, for the `commands` of a `BashSandbox`. A command reads its words by the tool's input
 * schema, and prints what the tool gives: text as it is, anything else as JSON. Its names are the tools' own.
 *
 * @throws {SandboxConfigError} naming a tool that nothing executes here, or that needs approval: a command asks nobody
 */
export async function commandsFromTools(tools: ToolSet): Promise<HostCommandMap> {
  const entries = Object.entries(tools).map(
    async ([name, tool]) => [name, await commandOf(name, tool)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

async function commandOf(name: string, tool: ToolSet[string]): Promise<HostCommand> {
  const { description = name, execute, needsApproval = false } = tool
  if (execute === undefined) throw refuse(name, 'has no execute function, so that nothing would run it.')
  if (needsApproval !== false) throw refuse(name, 'needs approval, and a command asks nobody. Leave it out.')
  const schema = asSchema<unknown>(tool.inputSchema)
  return toolCommand({
    name,
    description,
    schema: await schema.jsonSchema,
    async call(input, signal) {
      const checked = await schema.validate?.(input)
      if (checked?.success === false) throw new UsageError(checked.error.message)
      lastCall += 1
      const options: ToolExecutionOptions = {
        toolCallId: `command-${lastCall}`,
        messages: [],
        abortSignal: signal,
      }
      return outputText(await lastOf(execute(checked === undefined ? input : checked.value, options)))
    },
  })
}

/** Of a tool that gives preliminary outputs, the last counts. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isIterable(output)) return output
  let last: unknown
  for await (const one of output) last = one
  return last
}

function isIterable(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output
}

function refuse(name: string, problem: string): SandboxConfigError {
  const field = fieldPath(['tools', name])
  return new SandboxConfigError(`${field} ${problem}`, { field })
}

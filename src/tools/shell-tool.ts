import { commandHints, commandOutput, commandResult } from './command-output.ts'
import { defineTool } from './define-tool.ts'
import { describeFiles, describeNetwork, describeShell, describeTime, joinParts } from './descriptions.ts'
import { inputObject } from './input-object.ts'
import { timeoutField } from './timeout-field.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** Runs a command. */
export function shellTool(kit: ToolKit) {
  const { sandbox, summary, options } = kit
  return defineTool(
    {
      name: options.names.shell,
      title: 'Run a command',
      description: joinParts(
        describeShell(summary),
        describeTime(summary, options.timeout),
        describeFiles(summary),
        describeNetwork(summary),
        options.about,
      ),
      input: inputObject({
        command: z.string().describe('The command; it may have several lines.'),
        timeout: timeoutField(kit),
      }),
      output: commandOutput,
      hints: commandHints(summary),
      async run({ command, timeout = options.timeout }, { signal, step }) {
        const run = () => step(() => sandbox.execute(command, { timeout, signal }))
        return commandResult(run, kit, signal)
      },
    },
    summary,
  )
}

import { commandHints, commandOutput, commandResult } from './command-output.ts'
import { defineTool } from './define-tool.ts'
import { describeFiles, describeNetwork, describeTime, joinParts } from './descriptions.ts'
import { inputObject } from './input-object.ts'
import { guideOf } from './shells/guide.ts'
import { timeoutField } from './timeout-field.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** Runs a program. */
export function codeTool(kit: ToolKit) {
  const { sandbox, summary, options } = kit
  const languages = options.languages ?? (summary && guideOf(summary)?.languages(summary))
  const which = languages === undefined ? 'the interpreter that you name' : languages.join(' or ')
  return defineTool(
    {
      name: options.names.run_code,
      title: 'Run code',
      description: joinParts(
        `Runs a program with ${which} in a sandbox. It shares the files with the other tools, and leaves no variables behind. Print what you want to see.`,
        describeTime(summary, options.timeout),
        describeFiles(summary),
        describeNetwork(summary),
        options.about,
      ),
      input: inputObject({
        code: z.string().describe('The source code of the program.'),
        language: languageField(languages),
        timeout: timeoutField(kit),
      }),
      output: commandOutput,
      hints: commandHints(summary),
      async run({ code, language, timeout = options.timeout }, { signal, step }) {
        const run = () => step(() => sandbox.executeCode(code, language, { timeout, signal }))
        return commandResult(run, kit, signal)
      },
    },
    summary,
  )
}

function languageField(languages: readonly string[] | undefined) {
  const described = 'The interpreter'
  return languages === undefined
    ? z.string().describe(`${described}: a name such as python3, node or sh.`)
    : z.enum(languages).describe(`${described}.`)
}

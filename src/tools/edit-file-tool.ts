import { defineTool } from './define-tool.ts'
import { describeFiles, joinParts } from './descriptions.ts'
import { inputObject } from './input-object.ts'
import { type Edit, editTextFile } from './text-files.ts'
import { ToolFailure } from './tool-failure.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** Changes a part of a text file. */
export function editFileTool({ sandbox, summary, options }: ToolKit) {
  return defineTool(
    {
      name: options.names.edit_file,
      title: 'Edit a file',
      description: joinParts(
        'Changes a text file of the sandbox. str_replace puts new_str in the place of old_str, which must be in the file exactly once, white space included. insert puts new_str as lines after the line insert_line.',
        describeFiles(summary),
        options.about,
      ),
      input: inputObject({
        command: z.enum(['str_replace', 'insert']).describe('What to do.'),
        path: z.string().describe('The path of the file.'),
        old_str: oldText,
        new_str: z.string().describe('What to put there.'),
        insert_line: insertLine,
      }),
      output: editedLines,
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      async run({ command, path, old_str, new_str, insert_line }, call) {
        const edit = editOf(command, { old_str, new_str, insert_line })
        const { text, first, last } = await editTextFile(
          sandbox,
          path,
          { edit, limit: options.maxCharacters },
          call,
        )
        return { text: `Edited ${path}:\n${text}`, data: { path, startLine: first, endLine: last } }
      },
    },
    summary,
  )
}

/** The `old_str` of an edit. */
export const oldText = z
  .string()
  .optional()
  .describe('For str_replace: the text to replace, exactly as it is in the file.')

/** The `insert_line` of an edit. */
export const insertLine = z
  .int()
  .min(0)
  .optional()
  .describe('For insert: the number of the line after which to insert; 0 for the beginning of the file.')

/** What an edit did, for programs. */
const editedLines = z.object({
  path: z.string().describe('The path as it was given.'),
  startLine: z.int().describe('The number of the first new line.'),
  endLine: z.int().describe('The number of the last new line.'),
})

/** @throws ToolFailure where a field is missing that the command needs */
export function editOf(
  command: 'str_replace' | 'insert',
  fields: {
    readonly old_str?: string | undefined
    readonly new_str?: string | undefined
    readonly insert_line?: number | undefined
  },
): Edit {
  if (command === 'str_replace') {
    const old = fields.old_str ?? missing('old_str', command)
    return { kind: 'replace', old, replacement: fields.new_str ?? '' }
  }
  const text = fields.new_str ?? missing('new_str', command)
  return { kind: 'insert', after: fields.insert_line ?? missing('insert_line', command), text }
}

/** @throws ToolFailure always */
export function missing(field: string, command: string): never {
  throw new ToolFailure('INVALID_INPUT', `${command} needs ${field}.`)
}

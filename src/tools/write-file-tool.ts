import { defineTool } from './define-tool.ts'
import { describeFiles, joinParts } from './descriptions.ts'
import { inputObject } from './input-object.ts'
import { countLines } from './output/clip.ts'
import { count } from './output/numbers.ts'
import { writeTextFile } from './text-files.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** Writes a text file. */
export function writeFileTool({ sandbox, summary, options }: ToolKit) {
  return defineTool(
    {
      name: options.names.write_file,
      title: 'Write a file',
      description: joinParts(
        'Writes a text file of the sandbox, replacing what it held; makes the directories that lead to it.',
        describeFiles(summary),
        options.about,
      ),
      input: inputObject({
        path: z.string().describe('The path of the file.'),
        content: z.string().describe('All that the file is to hold.'),
      }),
      output: z.object({
        path: z.string().describe('The path as it was given.'),
        bytes: z.int().describe('How many bytes were written.'),
      }),
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      async run({ path, content }, call) {
        await writeTextFile(sandbox, path, content, call)
        const bytes = Buffer.byteLength(content)
        const size = `${count(bytes, 'byte')}, ${count(countLines(content), 'line')}`
        return { text: `Wrote ${path} (${size}).`, data: { path, bytes } }
      },
    },
    summary,
  )
}

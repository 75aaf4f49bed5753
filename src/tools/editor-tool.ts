import { SandboxIoError } from '../sandbox/errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { defineTool, type ToolCall } from './define-tool.ts'
import { describeFiles, joinParts } from './descriptions.ts'
import { editOf, insertLine, missing, oldText } from './edit-file-tool.ts'
import { inputObject } from './input-object.ts'
import { listTree } from './list-files-tool.ts'
import { requireToolName, resolveToolsOptions, type SandboxToolsOptions } from './options.ts'
import { count } from './output/numbers.ts'
import { readLines } from './read-file-tool.ts'
import type { SandboxTool } from './sandbox-tool.ts'
import { editTextFile, writeTextFile } from './text-files.ts'
import { type ToolKit, toolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** Levels of a directory that `view` shows. */
const VIEW_DEPTH = 2

/** Options of {@link editorTool}. */
export interface EditorToolOptions extends Pick<SandboxToolsOptions, 'maxCharacters' | 'about'> {
  /**
   * What the model calls the tool.
   *
   * @default 'file_editor'
   */
  readonly name?: string | undefined
}

/**
 * One tool that views, creates and edits files, of the shape that models know as a text editor.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function editorTool(sandbox: Sandbox, options: EditorToolOptions = {}): SandboxTool {
  const { name = 'file_editor', ...rest } = options
  const kit = toolKit(sandbox, resolveToolsOptions(rest))
  return defineTool(
    {
      name: requireToolName(name, 'name'),
      title: 'View and edit files',
      description: joinParts(
        'Views and edits text files of the sandbox. view gives numbered lines of a file, or lists a directory; create writes a whole file, replacing what it held; str_replace puts new_str in the place of old_str, which must be there exactly once; insert puts new_str as lines after the line insert_line.',
        describeFiles(kit.summary),
        kit.options.about,
      ),
      input,
      output: z.object({ path: z.string().describe('The path as it was given.') }),
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      async run(given, call) {
        return { text: await commands[given.command](kit, given, call), data: { path: given.path } }
      },
    },
    kit.summary,
  )
}

const input = inputObject({
  command: z.enum(['view', 'create', 'str_replace', 'insert']).describe('What to do.'),
  path: z.string().describe('The path of the file, or of a directory to view.'),
  file_text: z.string().optional().describe('For create: all that the file is to hold.'),
  view_range: z
    .array(z.int())
    .length(2)
    .optional()
    .describe('For view: the first and the last line, from 1; -1 for the last of the file.'),
  old_str: oldText,
  new_str: z.string().optional().describe('For str_replace and insert: what to put there. Default: nothing.'),
  insert_line: insertLine,
})

type Input = ReturnType<typeof input.parse>
type Command = (kit: ToolKit, given: Input, call: ToolCall) => Promise<string>

const commands: Readonly<Record<Input['command'], Command>> = {
  view,
  async create({ sandbox }, { path, file_text: text = missing('file_text', 'create') }, call) {
    await writeTextFile(sandbox, path, text, call)
    return `Wrote ${path} (${count(Buffer.byteLength(text), 'byte')}).`
  },
  str_replace: (kit, given, call) => edit('str_replace', kit, given, call),
  insert: (kit, given, call) => edit('insert', kit, given, call),
}

async function view(kit: ToolKit, { path, view_range: range }: Input, call: ToolCall): Promise<string> {
  const [first = 1, last = -1] = range ?? []
  try {
    const { text } = await readLines(
      kit,
      { path, first: Math.max(first, 1), last: last === -1 ? undefined : last },
      call,
    )
    return text
  } catch (error) {
    if (!(error instanceof SandboxIoError)) throw error
    const listed = await listTree(kit, { path, depth: VIEW_DEPTH }, call).catch(() => undefined) // The first failure says more.
    if (listed === undefined) throw error
    return listed.text
  }
}

async function edit(
  command: 'str_replace' | 'insert',
  { sandbox, options }: ToolKit,
  given: Input,
  call: ToolCall,
): Promise<string> {
  const change = { edit: editOf(command, given), limit: options.maxCharacters }
  const { text } = await editTextFile(sandbox, given.path, change, call)
  return `Edited ${given.path}:\n${text}`
}

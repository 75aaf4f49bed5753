import { defineTool, type ToolCall } from './define-tool.ts'
import { describeFiles, joinParts } from './descriptions.ts'
import { inputObject } from './input-object.ts'
import { count } from './output/numbers.ts'
import { readTextFile } from './text-files.ts'
import { linesOf, viewLines } from './text-lines.ts'
import { ToolFailure } from './tool-failure.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** Reads lines of a text file. */
export function readFileTool(kit: ToolKit) {
  const { summary, options } = kit
  return defineTool(
    {
      name: options.names.read_file,
      title: 'Read a file',
      description: joinParts(
        'Reads a text file of the sandbox. Gives its lines with their numbers, which are not part of the file; long files come in parts.',
        describeFiles(summary),
        options.about,
      ),
      input: inputObject({
        path: z.string().describe('The path of the file.'),
        start_line: z.int().min(1).optional().describe('The first line to read, from 1. Default: 1.'),
        end_line: z.int().min(1).optional().describe('The last line to read. Default: the last of the file.'),
      }),
      output: fileLines,
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      run: ({ path, start_line: first = 1, end_line: last }, call) =>
        readLines(kit, { path, first, last }, call),
    },
    summary,
  )
}

/** Lines of a file, for programs. */
const fileLines = z.object({
  path: z.string().describe('The path as it was given.'),
  content: z.string().describe('The lines, without numbers.'),
  startLine: z.int().describe('The number of the first line.'),
  endLine: z.int().describe('The number of the last line.'),
  totalLines: z.int().describe('How many lines the file has.'),
  truncated: z.boolean().describe('Whether less came than was asked for.'),
})

/** Reads the lines `first` to `last` (from 1, both included; without `last` to the end). */
export async function readLines(
  { sandbox, options }: ToolKit,
  {
    path,
    first,
    last,
  }: { readonly path: string; readonly first: number; readonly last?: number | undefined },
  call: ToolCall,
) {
  const lines = linesOf(await readTextFile(sandbox, path, call))
  refuseRange(path, lines.length, first, last)
  const view = viewLines(lines, { first, last: last ?? lines.length }, options.maxCharacters)
  const { content, total: totalLines } = view
  const truncated = view.endsEarly || view.isCut
  return {
    text: lines.length === 0 ? `(${path} is empty)` : [view.numbered, notes(view)].filter(Boolean).join('\n'),
    data: { path, content, startLine: view.first, endLine: view.last, totalLines, truncated },
  }
}

function refuseRange(path: string, total: number, first: number, last: number | undefined): void {
  if (first > Math.max(total, 1)) {
    throw new ToolFailure(
      'NO_SUCH_LINE',
      `${path} has ${count(total, 'line')}, and none with the number ${first}.`,
    )
  }
  if (last !== undefined && last < first) {
    throw new ToolFailure('NO_SUCH_LINE', `The last line (${last}) comes before the first (${first}).`)
  }
}

function notes({ first, last, total, endsEarly, isCut }: ReturnType<typeof viewLines>): string {
  const cut = isCut ? `[Line ${first} is too long: its end was left out.]` : ''
  const early = endsEarly ? `[Lines ${first} to ${last} of ${total}. Go on with line ${last + 1}.]` : ''
  return [cut, early].filter(Boolean).join('\n')
}

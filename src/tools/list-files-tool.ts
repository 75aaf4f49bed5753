import type { FileInfo } from '../sandbox/results.ts'
import { defineTool, type ToolCall } from './define-tool.ts'
import { describeFiles, joinParts } from './descriptions.ts'
import { failureOf } from './error-text.ts'
import { inputObject } from './input-object.ts'
import { count } from './output/numbers.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

const MOST_DEPTH = 5
const MOST_NOTES = 5
const MOST_ENTRIES = 1000

/** Lists a directory. */
export function listFilesTool(kit: ToolKit) {
  const { summary, options } = kit
  return defineTool(
    {
      name: options.names.list_files,
      title: 'List files',
      description: joinParts(
        `Lists a directory of the sandbox, hidden files too: directories end in "/". At most ${MOST_ENTRIES} entries.`,
        describeFiles(summary),
        options.about,
      ),
      input: inputObject({
        path: z.string().optional().describe('The directory. Default: the current one.'),
        depth: z
          .int()
          .min(1)
          .max(MOST_DEPTH)
          .optional()
          .describe('How many levels to list: 1 for the directory alone. Default: 1.'),
      }),
      output: listing,
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      run: ({ path = '.', depth = 1 }, call) => listTree(kit, { path, depth }, call),
    },
    summary,
  )
}

/** The entries of a directory, for programs. */
const listing = z.object({
  path: z.string().describe('The directory as it was given.'),
  entries: z.array(
    z.object({
      path: z.string().describe('The path below the directory.'),
      isDir: z.boolean().optional().describe('Whether it is a directory, where that is known.'),
      size: z.int().optional().describe('Its size in bytes, where that is known.'),
    }),
  ),
  truncated: z.boolean().describe('Whether there are more entries.'),
})

type Entry = FileInfo & { readonly path: string }

/** Lists a directory and what is below it, `depth` levels. */
export async function listTree(
  { sandbox, summary, options }: ToolKit,
  { path, depth }: { readonly path: string; readonly depth: number },
  { signal, step }: ToolCall,
) {
  const entries: Entry[] = []
  const unread: string[] = []
  const walk = async (prefix: string, level: number): Promise<void> => {
    for (const info of await step(() => sandbox.listFiles(`${path}${prefix === '' ? '' : `/${prefix}`}`))) {
      if (entries.length > MOST_ENTRIES) return
      const below = `${prefix}${info.name}`
      entries.push({ ...info, path: below })
      if (info.isDir === true && level < depth) {
        await walk(`${below}/`, level + 1).catch((error: unknown) => {
          if (signal?.aborted) throw error
          unread.push(`[${below}/ could not be listed: ${failureOf(error, summary).message}]`)
        })
      }
    }
  }
  await walk('', 1)
  const { lines, shown } = takeLines(entries.slice(0, MOST_ENTRIES), options.maxCharacters)
  const truncated = shown.length < entries.length
  const more = truncated ? [`[There are more: list a directory below ${path}.]`] : []
  return {
    text: [...(entries.length === 0 ? ['(no files)'] : lines), ...firstOf(unread), ...more].join('\n'),
    data: { path, entries: shown.map(toData), truncated },
  }
}

/** The first notes, and how many there are besides. */
function firstOf(notes: readonly string[]): string[] {
  if (notes.length <= MOST_NOTES) return [...notes]
  return [...notes.slice(0, MOST_NOTES), `[${notes.length - MOST_NOTES} more could not be listed.]`]
}

/** The entries that `limit` characters have room for, as lines. */
function takeLines(entries: readonly Entry[], limit: number): { lines: string[]; shown: Entry[] } {
  const lines: string[] = []
  let room = limit
  for (const entry of entries) {
    const line = lineOf(entry)
    room -= line.length + 1
    if (room < 0) break
    lines.push(line)
  }
  return { lines, shown: entries.slice(0, lines.length) }
}

function lineOf({ path, isDir, size }: Entry): string {
  if (isDir === true) return `${path}/`
  return size === undefined ? path : `${path} (${count(size, 'byte')})`
}

function toData({ path, isDir, size }: Entry) {
  return { path, ...(isDir === undefined ? {} : { isDir }), ...(size === undefined ? {} : { size }) }
}

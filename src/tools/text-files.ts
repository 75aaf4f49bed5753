import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ToolCall } from './define-tool.ts'
import { oneEditAtATime } from './edit-order.ts'
import { decodeText } from './output/binary.ts'
import { count } from './output/numbers.ts'
import { type Edited, insertAfter, replaceUnique } from './text-edits.ts'
import { linesOf, viewLines } from './text-lines.ts'
import { ToolFailure } from './tool-failure.ts'

/** Lines that are shown around an edit, on each side. */
const AROUND = 4

/** Reads a file as text. @throws ToolFailure where it is none */
export async function readTextFile(sandbox: Sandbox, path: string, { step }: ToolCall): Promise<string> {
  const bytes = await step(() => sandbox.readFile(path))
  const decoded = decodeText(bytes)
  if (decoded.isText) return decoded.text
  throw new ToolFailure(
    'BINARY',
    `${path} (${count(bytes.length, 'byte')}) is not a text file: it ${decoded.reason}. Use a program that understands its format.`,
  )
}

/** Writes a file. */
export function writeTextFile(sandbox: Sandbox, path: string, text: string, call: ToolCall): Promise<void> {
  return call.step(() => oneEditAtATime(sandbox, () => call.step(() => sandbox.writeText(path, text))))
}

/** An edit of {@link editTextFile}. */
export type Edit =
  | { readonly kind: 'replace'; readonly old: string; readonly replacement: string }
  | { readonly kind: 'insert'; readonly after: number; readonly text: string }

/** Changes a file; shows the lines around the change, at most `limit` characters of them. */
export function editTextFile(
  sandbox: Sandbox,
  path: string,
  { edit, limit }: { readonly edit: Edit; readonly limit: number },
  call: ToolCall,
): Promise<{ readonly text: string; readonly first: number; readonly last: number }> {
  return call.step(() =>
    oneEditAtATime(sandbox, async () => {
      const before = await readTextFile(sandbox, path, call)
      const edited = applyEdit(before, edit)
      await call.step(() => sandbox.writeText(path, edited.text))
      return { text: snippet(edited, limit), first: edited.first, last: edited.last }
    }),
  )
}

function applyEdit(text: string, edit: Edit): Edited {
  return edit.kind === 'replace'
    ? replaceUnique(text, edit.old, edit.replacement)
    : insertAfter(text, edit.after, edit.text)
}

function snippet({ text, first, last }: Edited, limit: number): string {
  const range = { first: Math.max(1, first - AROUND), last: last + AROUND }
  return viewLines(linesOf(text), range, limit).numbered
}

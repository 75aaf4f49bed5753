import type { PatchHunk, PatchLine } from './patch-text.ts'

/** Hunks in unified format, with the names of their files. */
export function rejectsText(
  names: readonly [before: string, after: string],
  hunks: readonly PatchHunk[],
): string {
  return `--- ${names[0]}\n+++ ${names[1]}\n${hunks.map(hunkText).join('')}`
}

function hunkText({ first, lines }: PatchHunk): string {
  const range = (start: number, other: PatchLine['mark']) => {
    const count = lines.filter(({ mark }) => mark !== other).length
    if (count === 1) return `${start}`
    return `${count === 0 ? start - 1 : start},${count}`
  }
  return `@@ -${range(first[0], '+')} +${range(first[1], '-')} @@\n${lines.map(written).join('')}`
}

function written({ mark, text }: PatchLine): string {
  return text.endsWith('\n') ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`
}

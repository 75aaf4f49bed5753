import { count } from './output/numbers.ts'
import { linesOf } from './text-lines.ts'
import { ToolFailure } from './tool-failure.ts'

/** Matches that are looked for: nobody needs to know of more. */
const MOST_MATCHES = 100
const MOST_NAMED = 10
/** Comparisons of lines in the search for what comes near: it stands still meanwhile. */
const MOST_COMPARISONS = 2_000_000

/** A text after an edit, and the lines that are new in it (numbers from 1, both included). */
export interface Edited {
  readonly text: string
  readonly first: number
  readonly last: number
}

/**
 * Replaces the only occurrence of `old`. In a file with CRLF line breaks, those of `old` and `replacement` are taken for
 * such.
 *
 * @throws ToolFailure where there is none, with what comes near, or more than one, with their lines
 */
export function replaceUnique(text: string, old: string, replacement: string): Edited {
  if (old === '')
    throw new ToolFailure(
      'NO_MATCH',
      'old_str is empty. Give the text to replace, or insert with insert_line.',
    )
  if (old === replacement)
    throw new ToolFailure('NO_CHANGE', 'old_str and new_str are the same: nothing was changed.')
  const isCrlf = /\r\n/.test(text) && !/(^|[^\r])\n/.test(text)
  const [from, to] = isCrlf ? [toCrlf(old), toCrlf(replacement)] : [old, replacement]
  const [at, ...others] = findAll(text, from)
  if (at === undefined) throw noMatch(text, old)
  if (others.length > 0) throw manyMatches(text, [at, ...others])
  const first = lineAt(text, at)
  const edited = `${text.slice(0, at)}${to}${text.slice(at + from.length)}`
  return { text: edited, first, last: first + Math.max(linesOf(to).length, 1) - 1 }
}

/**
 * Inserts lines after the line with the number `after` (0: before the first). Line breaks are those of the file.
 *
 * @throws ToolFailure where there is no such line
 */
export function insertAfter(text: string, after: number, inserted: string): Edited {
  const isCrlf = text.includes('\r\n')
  const lineBreak = isCrlf ? '\r\n' : '\n'
  const total = linesOf(text).length
  if (after > total) {
    throw new ToolFailure(
      'NO_SUCH_LINE',
      `insert_line is ${after}, but the file has ${count(total, 'line')}: give 0 to ${total}.`,
    )
  }
  const plain = isCrlf ? toCrlf(inserted) : inserted
  const block = plain.endsWith('\n') ? plain : `${plain}${lineBreak}`
  const at = offsetAfter(text, after)
  const gap = at > 0 && text[at - 1] !== '\n' ? lineBreak : ''
  const edited = `${text.slice(0, at)}${gap}${block}${text.slice(at)}`
  return { text: edited, first: after + 1, last: after + linesOf(block).length }
}

function findAll(text: string, part: string): number[] {
  const found: number[] = []
  let at = text.indexOf(part)
  while (at !== -1 && found.length < MOST_MATCHES) {
    found.push(at)
    at = text.indexOf(part, at + 1)
  }
  return found
}

function manyMatches(text: string, found: readonly number[]): ToolFailure {
  const lines = found.slice(0, MOST_NAMED).map((at) => lineAt(text, at))
  const more = found.length > MOST_NAMED ? ' and more' : ''
  const times = found.length === MOST_MATCHES ? `at least ${MOST_MATCHES}` : String(found.length)
  return new ToolFailure(
    'MANY_MATCHES',
    `old_str is there ${times} times, in lines ${lines.join(', ')}${more}: nothing was changed. Add lines around it until it is there once.`,
  )
}

function noMatch(text: string, old: string): ToolFailure {
  const missing = 'old_str is not in the file: nothing was changed.'
  const near = likeLines(text, old)
  if (near !== undefined) {
    return new ToolFailure(
      'NO_MATCH',
      `${missing} Line ${near.line} has it with other white space (indentation, tabs, spaces at the end of a line). Copy it as it is:\n${near.text}`,
    )
  }
  const opening = linesOf(old).find((line) => line.trim() !== '')
  const at = opening === undefined ? -1 : text.indexOf(opening.trim())
  if (at !== -1 && linesOf(old).length > 1) {
    return new ToolFailure(
      'NO_MATCH',
      `${missing} Line ${lineAt(text, at)} has its first line, but what follows differs. View the file from there.`,
    )
  }
  return new ToolFailure('NO_MATCH', `${missing} View the file and copy the text as it is.`)
}

/** The first lines of the text that are those of `old` but for white space. */
function likeLines(text: string, old: string): { readonly line: number; readonly text: string } | undefined {
  const lines = linesOf(text)
  const squeezed = lines.map(squeeze)
  const wanted = linesOf(old).map(squeeze)
  const isSmall = lines.length * wanted.length <= MOST_COMPARISONS
  if (!isSmall || wanted.every((line) => line === '')) return undefined
  const start = squeezed.findIndex((_line, index) =>
    wanted.every((line, offset) => squeezed[index + offset] === line),
  )
  if (start === -1) return undefined
  return { line: start + 1, text: lines.slice(start, start + wanted.length).join('\n') }
}

function squeeze(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim()
}

function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n')
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

function offsetAfter(text: string, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', at)
    if (end === -1) return text.length
    at = end + 1
  }
  return at
}

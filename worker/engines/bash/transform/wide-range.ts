import type { WordPart } from '../just-bash.ts'

type Braces = Extract<WordPart, { type: 'BraceExpansion' }>
type Item = Braces['items'][number]
type Range = Extract<Item, { type: 'Range' }>

/** just-bash leaves out what comes after so many words of one range. */
const MOST = 10_000

/** More words than any limit lets through. */
const REFUSED = 10_000_000

/** `{1..300000}` as several ranges, each of which just-bash gives in full. */
export function wideRange(node: Braces): Braces {
  if (!node.items.some((item) => item.type === 'Range' && countOf(item) > MOST)) return node
  return {
    ...node,
    items: node.items.flatMap((item): Item[] => (item.type === 'Range' ? parts(item) : [item])),
  }
}

function stepOf({ start, end, step }: Range): number {
  const size = Math.abs(step ?? 1) || 1
  return Number(start) <= Number(end) ? size : -size
}

function countOf(range: Range): number {
  if (typeof range.start !== 'number' || typeof range.end !== 'number') return 0
  return Math.floor(Math.abs(range.end - range.start) / Math.abs(stepOf(range))) + 1
}

function parts(range: Range): Range[] {
  const count = countOf(range)
  if (count <= MOST) return [range]
  if (count > REFUSED) throw new Error(`a range of ${count} words is more than fit here: use a loop`)
  const first = Number(range.start)
  const step = stepOf(range)
  if ([range.startStr ?? '', range.endStr ?? ''].some((text) => /^-?0\d/.test(text)))
    throw new Error(`a range of more than ${MOST} words with zeros before them is not known here: use seq -w`)
  const pieces: Range[] = []
  for (let from = 0; from < count; from += MOST) {
    const start = first + from * step
    const end = first + Math.min(count - 1, from + MOST - 1) * step
    pieces.push({ ...range, start, end, step: Math.abs(step), startStr: String(start), endStr: String(end) })
  }
  return pieces
}

import type { PatchHunk, PatchLine } from './patch-text.ts'

/** What became of a hunk. */
export interface HunkOutcome {
  readonly hunk: PatchHunk
  readonly isApplied: boolean
  /** The line of the new file at which it stands, or was looked for. */
  readonly at: number
  /** Lines between where it says it is and where it was found. */
  readonly offset: number
  /** Lines at either end of its context that were not compared. */
  readonly fuzz: number
  /** True where it stands before one that was applied. */
  readonly isMisordered: boolean
}

interface Matching {
  /** The most lines of context at either end that may differ. */
  readonly mostFuzz: number
  /** Whether runs of blanks are alike. */
  readonly ignoresBlanks: boolean
}

/** The lines of a file with hunks applied. */
export interface Patched {
  readonly lines: readonly string[]
  readonly outcomes: readonly HunkOutcome[]
}

/** A hunk the other way round. */
export function reversed({ first, lines }: PatchHunk): PatchHunk {
  const turned = lines.map((line): PatchLine => ({ ...line, mark: OTHER[line.mark] }))
  const [before, after] = first
  // What is removed stands before what is added.
  return { first: [after, before], lines: inOrder(turned) }
}

const OTHER = { ' ': ' ', '-': '+', '+': '-' } as const

function inOrder(lines: readonly PatchLine[]): PatchLine[] {
  const sorted: PatchLine[] = []
  let added: PatchLine[] = []
  for (const line of lines) {
    if (line.mark === '+') added.push(line)
    else if (line.mark === '-') sorted.push(line)
    else {
      sorted.push(...added, line)
      added = []
    }
  }
  return [...sorted, ...added]
}

/** Whether the first hunk matches somewhere, without fuzz. */
export function fits(lines: readonly string[], hunk: PatchHunk, matching: Matching): boolean {
  return locate(lines, hunk, { fuzz: 0, offset: 0, frozen: 0, matching }) !== undefined
}

/** Applies hunks one after another, each where its lines are, as near as may be to where it says. */
export function applyHunks(
  lines: readonly string[],
  hunks: readonly PatchHunk[],
  matching: Matching,
): Patched {
  const output: string[] = []
  const outcomes: HunkOutcome[] = []
  /** Lines of the input that are in the output already. */
  let frozen = 0
  let [offset, growth] = [0, 0]
  for (const hunk of hunks) {
    const most = Math.min(matching.mostFuzz, Math.max(...contextOf(hunk)))
    let fuzz = 0
    let where: number | undefined
    for (; fuzz <= most && where === undefined; fuzz += 1)
      where = locate(lines, hunk, { fuzz, offset, frozen, matching })
    const isMisordered = where !== undefined && where <= frozen
    const isApplied = where !== undefined && !isMisordered
    const found = isApplied ? where : undefined
    if (found !== undefined) {
      offset = found - hunk.first[0]
      output.push(...lines.slice(frozen, found - 1))
      let at = found - 1
      for (const { mark, text } of hunk.lines) {
        if (mark === '+') output.push(text)
        else {
          if (mark === ' ') output.push(lines[at] ?? '')
          at += 1
        }
      }
      frozen = at
    }
    outcomes.push({
      hunk,
      isApplied,
      at: (found ?? hunk.first[0]) + growth,
      offset: isApplied ? offset : 0,
      fuzz: isApplied ? fuzz - 1 : 0,
      isMisordered,
    })
    if (isApplied) growth += count(hunk, '+') - count(hunk, '-')
  }
  return { lines: [...output, ...lines.slice(frozen)], outcomes }
}

function count({ lines }: PatchHunk, mark: PatchLine['mark']): number {
  return lines.filter((line) => line.mark === mark).length
}

/** Lines of context before the first change and after the last one. */
function contextOf({ lines }: PatchHunk): readonly [prefix: number, suffix: number] {
  const first = lines.findIndex(({ mark }) => mark !== ' ')
  const last = lines.findLastIndex(({ mark }) => mark !== ' ')
  return [first, lines.length - 1 - last]
}

interface Search {
  readonly fuzz: number
  readonly offset: number
  readonly frozen: number
  readonly matching: Matching
}

/**
 * The line at which a hunk matches: the nearest to where it should be. One with less context before it than after it stands at the
 * start of its file, and the other way round at its end (as in GNU patch).
 */
function locate(
  lines: readonly string[],
  hunk: PatchHunk,
  { fuzz, offset, frozen, matching }: Search,
): number | undefined {
  const pattern = hunk.lines.filter(({ mark }) => mark !== '+').map(({ text }) => text)
  const guess = hunk.first[0] + offset
  if (pattern.length === 0) return Math.min(guess, lines.length + 1)
  const context = contextOf(hunk)
  const longest = Math.max(...context)
  const [prefix, suffix] = context.map((length) => fuzz + length - longest) as [number, number]
  const matches = (at: number) =>
    at >= 1 &&
    at + pattern.length - 1 <= lines.length &&
    pattern
      .slice(Math.max(prefix, 0), pattern.length - Math.max(suffix, 0))
      .every((text, index) => alike(lines[at - 1 + Math.max(prefix, 0) + index] ?? '', text, matching))
  if (prefix < 0 && hunk.first[0] <= 1) {
    if (suffix < 0 && pattern.length !== lines.length) return undefined
    return matches(1) ? 1 : undefined
  }
  if (suffix < 0) {
    const last = lines.length - pattern.length + 1
    return matches(last) ? last : undefined
  }
  const farthest = Math.max(guess - frozen - 1, lines.length - pattern.length + 1 - guess)
  for (let distance = 0; distance <= farthest; distance += 1) {
    if (matches(guess + distance)) return guess + distance
    if (distance > 0 && guess - distance > frozen && matches(guess - distance)) return guess - distance
  }
  return undefined
}

function alike(line: string, text: string, { ignoresBlanks }: Matching): boolean {
  if (!ignoresBlanks) return line === text
  const plain = (one: string) => one.replace(/[ \t]+/g, ' ').trimEnd()
  return plain(line) === plain(text)
}

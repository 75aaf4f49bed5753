import type { EntryKind, SandboxEntry } from '../../../../host-files/types.ts'

/** What `ls -la` prints of the given paths. */
export interface Listing {
  /** For each directory: its entries by name, without devices and the like. */
  readonly directories: ReadonlyMap<string, ReadonlyMap<string, SandboxEntry>>
  /** Directories in which a name was read twice: one of the two is part of another name. */
  readonly doubtful: ReadonlySet<string>
  /** The paths that are not directories. */
  readonly others: ReadonlyMap<string, SandboxEntry>
}

/** The columns before a name. */
export interface Columns {
  readonly kind: EntryKind | 'other'
  readonly mode: number
  /** The bits above those of permissions. */
  readonly special: number
  readonly size: number
  readonly shown: string
  /** Where the name begins. */
  readonly start: number
}

interface Named {
  readonly name: string
  readonly target?: string
  /** Where the next line begins. */
  readonly end: number
}

/** A path printed as it was asked for: the head of a section, or an entry of its own. */
interface Begun {
  readonly end: number
  readonly entry?: SandboxEntry | 'other'
}

const COLUMNS = /([-dlcbps])([-rwxsStT]{9}) +(\d+) ([A-Z][a-z]{2} [ \d]\d (?:\d\d:\d\d| \d{4})) /y
const KINDS: Readonly<Record<string, EntryKind>> = { '-': 'file', d: 'directory', l: 'link' }
const ARROW = ' -> '

/**
 * Reads the output of `ls -la PATH PATH …`: for each path, in their order, a section or an entry, separated by empty
 * lines. Names may contain line breaks: a name ends where the rest can be read as further entries. The last path must not
 * be a directory, so that the end of the section before it can be found.
 *
 * @param paths - absolute, at least two. What `ls` prints for a missing path cannot be told from a name, and it stops at
 *   the second missing path.
 * @returns `undefined` for any other output: some path is missing.
 */
export function parseListing(output: string, paths: readonly string[]): Listing | undefined {
  const directories = new Map<string, ReadonlyMap<string, SandboxEntry>>()
  const doubtful = new Set<string>()
  const others = new Map<string, SandboxEntry>()
  let at = 0
  for (const [index, path] of paths.entries()) {
    const next = paths[index + 1]
    const begun = begin(output, at, path)
    if (begun === undefined) return undefined
    at = begun.end
    if (begun.entry === undefined) {
      const section = next === undefined ? undefined : readSection(output, at, next)
      if (section === undefined) return undefined
      directories.set(path, section.entries)
      if (section.isDoubtful) doubtful.add(path)
      at = section.end
    } else if (begun.entry !== 'other') others.set(path, begun.entry)
    if (next === undefined) break
    if (output[at] !== '\n') return undefined
    at += 1
  }
  return at === output.length ? { directories, doubtful, others } : undefined
}

function begin(output: string, at: number, path: string): Begun | undefined {
  if (output.startsWith(`${path}:\n`, at)) return { end: at + path.length + 2 }
  const columns = readColumns(output, at)
  if (columns === undefined || !output.startsWith(path, columns.start)) return undefined
  const { kind, size, start } = columns
  let end = start + path.length
  if (kind !== 'link') return output[end] === '\n' ? { end: end + 1, entry: entryOf(columns) } : undefined
  if (!output.startsWith(ARROW, end)) return undefined
  const from = end + ARROW.length
  end = afterBytes(output, from, size)
  return output[end] === '\n' ? { end: end + 1, entry: entryOf(columns, output.slice(from, end)) } : undefined
}

/** The entries of a directory; `end` is where the empty line before `next` begins. */
function readSection(
  output: string,
  from: number,
  next: string,
): { entries: Map<string, SandboxEntry>; isDoubtful: boolean; end: number } | undefined {
  let isDoubtful = false
  const entries = new Map<string, SandboxEntry>()
  const isOver = (at: number) => output[at] === '\n' && begin(output, at + 1, next) !== undefined
  let at = from
  for (let columns = readColumns(output, at); columns !== undefined; ) {
    let following: Columns | undefined
    const named = readName(output, columns, (end) => {
      following = readColumns(output, end)
      return following !== undefined || isOver(end)
    })
    if (named === undefined) return undefined
    const entry = entryOf(columns, named.target)
    isDoubtful ||= entries.has(named.name)
    if (entry !== 'other') entries.set(named.name, entry)
    at = named.end
    columns = following
  }
  return isOver(at) ? { entries, isDoubtful, end: at } : undefined
}

/** Reads a name, and the text of a link. `canEnd` tells whether the name can end before an index. */
function readName(
  output: string,
  { kind, size, start }: Columns,
  canEnd: (at: number) => boolean,
): Named | undefined {
  if (kind === 'link') {
    // The size of a link is that of its text, which may contain anything.
    for (let arrow = output.indexOf(ARROW, start + 1); arrow > 0; arrow = output.indexOf(ARROW, arrow + 1)) {
      const from = arrow + ARROW.length
      const end = afterBytes(output, from, size)
      if (output[end] !== '\n' || !canEnd(end + 1)) continue
      return { name: output.slice(start, arrow), target: output.slice(from, end), end: end + 1 }
    }
    return undefined
  }
  for (let end = output.indexOf('\n', start + 1); end > 0; end = output.indexOf('\n', end + 1)) {
    if (canEnd(end + 1)) return { name: output.slice(start, end), end: end + 1 }
  }
  return undefined
}

/** The columns that begin at an index; `undefined` if none do. */
export function readColumns(output: string, at: number): Columns | undefined {
  COLUMNS.lastIndex = at
  const match = COLUMNS.exec(output)
  if (match === null) return undefined
  const [all, kind = '', mode = '', size = '', shown = ''] = match
  return {
    kind: KINDS[kind] ?? 'other',
    mode: modeOf(mode),
    special: specialOf(mode),
    size: Number(size),
    shown,
    start: at + all.length,
  }
}

function entryOf({ kind, mode, special, size, shown }: Columns, target?: string): SandboxEntry | 'other' {
  if (kind === 'other') return 'other'
  const bits = special === 0 ? {} : { special }
  const entry = { kind, mode, ...bits, size: kind === 'file' ? size : 0, shown }
  return target === undefined ? entry : { ...entry, target }
}

/** The index after so many bytes of UTF-8. */
function afterBytes(text: string, from: number, bytes: number): number {
  let at = from
  for (let left = bytes; left > 0 && at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    at += code < 0x10000 ? 1 : 2
  }
  return at
}

function modeOf(letters: string): number {
  let mode = 0
  for (const letter of letters) mode = mode * 2 + (letter === '-' || letter === 'S' || letter === 'T' ? 0 : 1)
  return mode
}

/** setuid, setgid and sticky. */
function specialOf(letters: string): number {
  let bits = 0
  for (const at of [2, 5, 8]) bits = bits * 2 + (/[sStT]/.test(letters.charAt(at)) ? 1 : 0)
  return bits * 0o1000
}

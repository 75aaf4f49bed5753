/** A line of a hunk: kept, removed or added. Its text ends with a newline, but for the last one of some files. */
export interface PatchLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Lines that are replaced by others. */
export interface PatchHunk {
  /** Its first line in the file before and after, from 1; the line that it is inserted before where it has none. */
  readonly first: readonly [before: number, after: number]
  readonly lines: readonly PatchLine[]
}

/** A name in the head of a patch. */
export interface PatchName {
  /** Undefined where the head has none, or `/dev/null`. */
  readonly path: string | undefined
  /** Whether the file is said not to exist: `/dev/null`, or written in 1970. */
  readonly isAbsent: boolean
}

/** The change of one file. */
export interface FilePatch {
  readonly before: PatchName
  readonly after: PatchName
  /** Of `rename from` and `rename to` of git. */
  readonly renamed: readonly [from: string, to: string] | undefined
  /** Of `new file mode` and `new mode` of git. */
  readonly mode: number | undefined
  readonly hunks: readonly PatchHunk[]
  /** The text before its first hunk. */
  readonly lead: string
  /** The number of its first line of hunks. */
  readonly line: number
  /** Whether its last line has no end. */
  readonly isCut: boolean
  /** Where its hunks end before they are whole. */
  readonly fault: string | undefined
}

const NO_NAME: PatchName = { path: undefined, isAbsent: false }

/** Blank lines that may be missing at the end of a patch. */
const MOST_CHOPPED = 2

/** Reads the patches of a text in unified format, or in the normal one. @throws Error for the context format */
export function readPatch(text: string): FilePatch[] {
  const lines = text.split(/(?<=\n)/)
  const found: FilePatch[] = []
  let lead: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    if (/^\*{15}\s*$/.test(line)) throw new Error('context diffs are not read here. Write the diff with -u')
    const isUnified = UNIFIED.test(line)
    const isNormal = !isUnified && NORMAL.test(line) && /^[<>] /.test(lines[at + 1] ?? '')
    const isNext = /^diff --git /.test(line) && hasGitChange(lead)
    if (!isUnified && !isNormal && !isNext) {
      lead.push(line)
      at += 1
      continue
    }
    const hunks: PatchHunk[] = []
    const first = at
    let fault: string | undefined
    while (at < lines.length && !isNext) {
      const read = isNormal ? normalHunk(lines, at) : unifiedHunk(lines, at)
      if (read === undefined) break
      if ('fault' in read) fault = read.fault
      else hunks.push(read.hunk)
      at = 'fault' in read ? lines.length : read.end
    }
    found.push({
      ...headOf(lead),
      hunks,
      lead: lead.join(''),
      line: first + 1,
      isCut: at >= lines.length && isEndless(lines),
      fault,
    })
    lead = isNext ? [line] : []
    if (isNext) at += 1
  }
  if (hasGitChange(lead))
    found.push({
      ...headOf(lead),
      hunks: [],
      lead: lead.join(''),
      line: lines.length + 1,
      isCut: false,
      fault: undefined,
    })
  return found
}

const UNIFIED = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const NORMAL = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?\s*$/

/** Whether the head alone changes a file: it is renamed, or has another mode. */
function hasGitChange(lead: readonly string[]): boolean {
  return lead.some((line) => /^(rename to|new mode|new file mode|deleted file mode) /.test(line))
}

function headOf(lead: readonly string[]): Omit<FilePatch, 'hunks' | 'lead' | 'line' | 'isCut' | 'fault'> {
  const last = (pattern: RegExp) => lead.map((line) => pattern.exec(line)?.[1]).findLast((found) => found)
  const [from, to] = [last(/^rename from (.*)\n?$/), last(/^rename to (.*)\n?$/)]
  const mode = last(/^new (?:file )?mode (\d+)/)
  const [, gitBefore, gitAfter] =
    /^diff --git (\S+) (\S+)\s*$/.exec(lead.findLast((line) => line.startsWith('diff --git ')) ?? '') ?? []
  const name = (mark: string, ofGit: string | undefined, isAbsent: boolean): PatchName => {
    const line = lead.findLast((one) => one.startsWith(`${mark} `))
    if (line !== undefined) return nameOf(line.slice(mark.length + 1))
    return isAbsent ? { path: undefined, isAbsent } : { path: ofGit, isAbsent: false }
  }
  const index = last(/^Index: *(\S+)/)
  const before = name('---', gitBefore, last(/^(new) file mode/) !== undefined)
  const after = name('+++', gitAfter, last(/^(deleted) file mode/) !== undefined)
  const isUnnamed = before.path === undefined && after.path === undefined
  return {
    before: isUnnamed && index !== undefined ? { path: index, isAbsent: false } : before,
    after,
    renamed: from !== undefined && to !== undefined ? [from, to] : undefined,
    mode: mode === undefined ? undefined : Number.parseInt(mode, 8) & 0o777,
  }
}

/** A name ends at a blank, or at a tab where one is in the line. */
function nameOf(text: string): PatchName {
  const line = text.replace(/\r?\n$/, '')
  const [path = '', stamp = ''] = line.includes('\t') ? line.split('\t') : line.split(/\s+/)
  if (path === '') return NO_NAME
  if (path === '/dev/null') return { path: undefined, isAbsent: true }
  const quoted = /^"(.*)"$/.exec(path)?.[1]
  return {
    path: quoted?.replace(/\\(["\\])/g, '$1') ?? path,
    isAbsent: stamp !== '' && Date.parse(stamp.replace(/(\.\d{3})\d* /, '$1 ')) === 0,
  }
}

type ReadHunk = { readonly hunk: PatchHunk; readonly end: number } | { readonly fault: string }

function unifiedHunk(lines: readonly string[], start: number): ReadHunk | undefined {
  const head = UNIFIED.exec(lines[start] ?? '')
  if (head === null) return undefined
  const [before, after] = [Number(head[2] ?? 1), Number(head[4] ?? 1)]
  const found: PatchLine[] = []
  let [removed, added, at] = [0, 0, start + 1]
  while (removed < before || added < after) {
    const line = lines[at]
    const isChopped =
      line === undefined && before - removed === after - added && before - removed <= MOST_CHOPPED
    const read = isChopped || line === '\n' ? { mark: ' ' as const, text: '\n' } : lineOf(line ?? '')
    removed += read?.mark === '+' ? 0 : 1
    added += read?.mark === '-' ? 0 : 1
    if (read === undefined || removed > before || added > after)
      return { fault: `malformed patch at line ${at + 1}: ${line ?? ''}\n` }
    found.push(read)
    at += 1
    if (lines[at]?.startsWith('\\ ')) {
      endAtLast(found)
      at += 1
    }
  }
  if (found.every(({ mark }) => mark === ' '))
    return { fault: `malformed patch at line ${at + 1}: ${lines[at] ?? ''}\n` }
  const first: PatchHunk['first'] = [
    Number(head[1]) + (before === 0 ? 1 : 0),
    Number(head[3]) + (after === 0 ? 1 : 0),
  ]
  return { hunk: { first, lines: found }, end: Math.min(at, lines.length) }
}

/** Whether the last line is one of a file, and has no end. */
function isEndless(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? ''
  return /^[ +-]/.test(last) && !last.endsWith('\n')
}

function lineOf(line: string): PatchLine | undefined {
  const mark = line[0]
  if (mark !== ' ' && mark !== '-' && mark !== '+') return undefined
  return { mark, text: line.slice(1) }
}

/** The file ends with the last of the lines, without a newline. */
function endAtLast(lines: PatchLine[]): void {
  const last = lines.pop()
  if (last !== undefined) lines.push({ mark: last.mark, text: last.text.slice(0, -1) })
}

function normalHunk(lines: readonly string[], start: number): ReadHunk | undefined {
  const head = NORMAL.exec(lines[start] ?? '')
  if (head === null) return undefined
  const kind = head[3]
  const found: PatchLine[] = []
  let at = start + 1
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('\\ ')) endAtLast(found)
    else if (/^[<>] /.test(line)) found.push({ mark: line.startsWith('<') ? '-' : '+', text: line.slice(2) })
    else if (!/^---\s*$/.test(line)) break
  }
  const first: PatchHunk['first'] = [
    Number(head[1]) + (kind === 'a' ? 1 : 0),
    Number(head[4]) + (kind === 'd' ? 1 : 0),
  ]
  return { hunk: { first, lines: found }, end: at }
}

import type { CommandContext } from '../just-bash.ts'
import { type Answer, done, failed, type OwnCommand, readInput, reason } from './command.ts'
import { differences, type Hunk } from './diff-lines.ts'
import { detach } from './wrapper.ts'

interface DiffOptions {
  unified: number | undefined
  brief: boolean
  identical: boolean
  recursive: boolean
  absentAsEmpty: boolean
  readonly keys: ((line: string) => string)[]
  blank: boolean
  readonly labels: string[]
}

interface Side {
  readonly name: string
  readonly lines: readonly string[]
  readonly endsWithNewline: boolean
}

const MARKS = '\\ No newline at end of file\n'

function readOptions(args: readonly string[]): { options: DiffOptions; paths: string[] } | string {
  const options: DiffOptions = {
    unified: undefined,
    brief: false,
    identical: false,
    recursive: false,
    absentAsEmpty: false,
    keys: [],
    blank: false,
    labels: [],
  }
  const paths: string[] = []
  const words = detach(args, 'U')
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '-U' || word === '--label' || word === '-L') {
      at += 1
      if (word === '-U') options.unified = Number(words[at])
      else options.labels.push(words[at] ?? '')
    } else if (word.startsWith('--')) {
      const refused = long(word, options)
      if (refused !== undefined) return refused
    } else if (word.startsWith('-') && word !== '-') {
      for (const letter of word.slice(1)) {
        const refused = short(letter, options)
        if (refused !== undefined) return refused
      }
    } else paths.push(word)
  }
  return { options, paths }
}

function long(word: string, options: DiffOptions): string | undefined {
  const letter = {
    brief: 'q',
    recursive: 'r',
    unified: 'u',
    'report-identical-files': 's',
    'ignore-case': 'i',
    'ignore-all-space': 'w',
    'ignore-space-change': 'b',
    'ignore-blank-lines': 'B',
    'new-file': 'N',
    text: 'a',
    normal: 'a',
  }[word.slice(2).replace(/=.*/, '')]
  if (/^--colou?r/.test(word)) return undefined
  if (word.startsWith('--unified=')) options.unified = Number(word.slice(10))
  else if (word.startsWith('--label=')) options.labels.push(word.slice(8))
  else return letter === undefined ? `unrecognized option '${word}'` : short(letter, options)
  return undefined
}

function short(letter: string, options: DiffOptions): string | undefined {
  if (letter === 'u') options.unified ??= 3
  else if (letter === 'q') options.brief = true
  else if (letter === 's') options.identical = true
  else if (letter === 'r') options.recursive = true
  else if (letter === 'N') options.absentAsEmpty = true
  else if (letter === 'i') options.keys.push((line) => line.toLowerCase())
  else if (letter === 'w') options.keys.push((line) => line.replaceAll(/\s+/g, ''))
  else if (letter === 'b') options.keys.push((line) => line.replaceAll(/\s+/g, ' ').trimEnd())
  else if (letter === 'B') options.blank = true
  else if (letter !== 'a' && letter !== 'd') return `this diff has no -${letter}`
  return undefined
}

async function side(path: string, context: CommandContext, absentAsEmpty: boolean): Promise<Side> {
  const missing = absentAsEmpty && !(await context.fs.exists(context.fs.resolvePath(context.cwd, path)))
  const text = missing ? '' : await readInput(path, context)
  const lines = text.split('\n')
  const endsWithNewline = lines.at(-1) === ''
  if (endsWithNewline) lines.pop()
  return { name: path, lines, endsWithNewline }
}

const range = ([from, to]: readonly [number, number]) => (to - from <= 1 ? `${to}` : `${from + 1},${to}`)

function normal(left: Side, right: Side, found: readonly Hunk[]): string {
  return found
    .map((hunk) => {
      const [removed, added] = [hunk.left[1] > hunk.left[0], hunk.right[1] > hunk.right[0]]
      const kind = removed ? (added ? 'c' : 'd') : 'a'
      const head = `${removed ? range(hunk.left) : hunk.left[0]}${kind}${added ? range(hunk.right) : hunk.right[0]}\n`
      return (
        head + marked('< ', left, hunk.left) + (kind === 'c' ? '---\n' : '') + marked('> ', right, hunk.right)
      )
    })
    .join('')
}

function marked(
  mark: string,
  { lines, endsWithNewline }: Side,
  [from, to]: readonly [number, number],
): string {
  return lines
    .slice(from, to)
    .map((line, at) => `${mark}${line}\n${from + at === lines.length - 1 && !endsWithNewline ? MARKS : ''}`)
    .join('')
}

function unified(
  left: Side,
  right: Side,
  found: readonly Hunk[],
  context: number,
  labels: readonly string[],
): string {
  const [first = left.name, second = right.name] = labels
  const stamp = '1970-01-01 00:00:00.000000000 +0000'
  const head = (mark: string, name: string, label: boolean) => `${mark} ${name}${label ? '' : `\t${stamp}`}\n`
  let text = head('---', first, labels.length > 0) + head('+++', second, labels.length > 1)
  for (let at = 0; at < found.length; ) {
    const hunks = [found[at]].filter((hunk) => hunk !== undefined)
    for (at += 1; at < found.length; at += 1) {
      const next = found[at]
      const last = hunks.at(-1)
      if (next === undefined || last === undefined || next.left[0] - last.left[1] > 2 * context) break
      hunks.push(next)
    }
    text += block(left, right, hunks, context)
  }
  return text
}

function block(left: Side, right: Side, hunks: readonly Hunk[], context: number): string {
  const [first, last] = [hunks[0], hunks.at(-1)]
  if (first === undefined || last === undefined) return ''
  const before = Math.min(context, first.left[0])
  const after = Math.min(context, left.lines.length - last.left[1])
  const span = (from: number, to: number) =>
    to - from === 1 ? `${from + 1}` : `${to === from ? from : from + 1},${to - from}`
  let text = `@@ -${span(first.left[0] - before, last.left[1] + after)} +${span(first.right[0] - before, last.right[1] + after)} @@\n`
  let at = first.left[0] - before
  for (const hunk of hunks) {
    text +=
      marked(' ', left, [at, hunk.left[0]]) + marked('-', left, hunk.left) + marked('+', right, hunk.right)
    at = hunk.left[1]
  }
  return text + marked(' ', left, [at, at + after])
}

async function compare(a: string, b: string, options: DiffOptions, context: CommandContext): Promise<Answer> {
  const [left, right] = await Promise.all([
    side(a, context, options.absentAsEmpty),
    side(b, context, options.absentAsEmpty),
  ])
  const key = (line: string) => options.keys.reduce((text, apply) => apply(text), line)
  const [keysLeft, keysRight] = [left.lines.map(key), right.lines.map(key)]
  const atEnd = (index: number, of: Side) => index === of.lines.length - 1 && !of.endsWithNewline
  const all = differences(
    left.lines.length,
    right.lines.length,
    (i, j) => keysLeft[i] === keysRight[j] && atEnd(i, left) === atEnd(j, right),
  )
  const empty = (lines: readonly string[], [from, to]: readonly [number, number]) =>
    lines.slice(from, to).every((line) => line === '')
  const found = options.blank
    ? all.filter((hunk) => !empty(left.lines, hunk.left) || !empty(right.lines, hunk.right))
    : all
  if (found.length === 0) return done(options.identical ? `Files ${a} and ${b} are identical\n` : '')
  if (options.brief) return done(`Files ${a} and ${b} differ\n`, 1)
  const text =
    options.unified === undefined
      ? normal(left, right, found)
      : unified(left, right, found, options.unified, options.labels)
  return { stdout: text, stderr: '', exitCode: 1, stdoutKind: 'bytes' }
}

async function compareTrees(
  a: string,
  b: string,
  options: DiffOptions,
  context: CommandContext,
): Promise<Answer> {
  const list = async (path: string) =>
    new Set(await context.fs.readdir(context.fs.resolvePath(context.cwd, path)))
  const [left, right] = await Promise.all([list(a), list(b)])
  let [text, status] = ['', 0]
  for (const name of [...new Set([...left, ...right])].sort()) {
    const [one, other] = [`${a.replace(/\/$/, '')}/${name}`, `${b.replace(/\/$/, '')}/${name}`]
    if (!left.has(name) || !right.has(name)) {
      text += `Only in ${(left.has(name) ? a : b).replace(/\/$/, '')}: ${name}\n`
      status = 1
      continue
    }
    const folder = (await context.fs.stat(context.fs.resolvePath(context.cwd, one))).isDirectory
    if (folder && !options.recursive) {
      text += `Common subdirectories: ${one} and ${other}\n`
      continue
    }
    const answer = folder
      ? await compareTrees(one, other, options, context)
      : await compare(one, other, options, context)
    const style = `${options.unified === undefined ? '' : 'u'}${options.recursive ? 'r' : ''}`
    const head =
      answer.exitCode === 1 && !folder && !options.brief
        ? `diff ${style === '' ? '' : `-${style} `}${one} ${other}\n`
        : ''
    text += head + answer.stdout
    status = Math.max(status, answer.exitCode)
  }
  return done(text, status)
}

/** `diff` in its normal format, `-u`, `-q`, `-r`. */
export const diff: OwnCommand = {
  name: 'diff',
  async run(args, context) {
    const read = readOptions(args)
    if (typeof read === 'string') return failed('diff', read, 2)
    const [a, b, ...more] = read.paths
    if (a === undefined || b === undefined) return failed('diff', `missing operand after '${a ?? 'diff'}'`, 2)
    if (more.length > 0) return failed('diff', `extra operand '${more[0]}'`, 2)
    try {
      const isFolder = async (path: string) =>
        path !== '-' &&
        (await context.fs.stat(context.fs.resolvePath(context.cwd, path)).catch(() => undefined))
          ?.isDirectory === true
      const [left, right] = [await isFolder(a), await isFolder(b)]
      if (left && right) return await compareTrees(a, b, read.options, context)
      const base = (path: string) => path.split('/').at(-1) ?? path
      return await compare(left ? `${a}/${base(b)}` : a, right ? `${b}/${base(a)}` : b, read.options, context)
    } catch (error) {
      const missing = (await context.fs.exists(context.fs.resolvePath(context.cwd, a))) || a === '-' ? b : a
      return failed('diff', `${missing}: ${reason(error)}`, 2)
    }
  },
}

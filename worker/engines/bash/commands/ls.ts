import type { CommandContext } from '../just-bash.ts'
import { nanoseconds } from '../text/date-fields.ts'
import { strftime } from '../text/strftime.ts'
import { type Answer, failed, type OwnCommand } from './command.ts'
import { type FileFacts, factsOf } from './file-facts.ts'
import { FOLDERS_FIRST, type LsOptions, readLs, type TimeStyle } from './ls-options.ts'

interface Entry {
  readonly name: string
  readonly facts: FileFacts
}

type Letters = ReadonlySet<string>

const HALF_YEAR = 182 * 86_400_000

async function entryOf(name: string, path: string, context: CommandContext, follow: boolean): Promise<Entry> {
  if (!follow) return { name, facts: await factsOf(path, context, false) }
  const facts = await factsOf(path, context, true).catch(() => factsOf(path, context, false))
  return { name, facts }
}

type Order = (left: Entry, right: Entry) => number

function compare(letters: Letters): Order {
  const order = compareWithin(letters)
  if (!letters.has(FOLDERS_FIRST)) return order
  const isFile = ({ facts }: Entry) => Number(facts.kind !== 'directory')
  return (a, b) => isFile(a) - isFile(b) || order(a, b)
}

function compareWithin(letters: Letters): Order {
  const byName = (left: Entry, right: Entry) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0)
  const sign = letters.has('r') ? -1 : 1
  if (letters.has('t'))
    return (a, b) => sign * (b.facts.modified.getTime() - a.facts.modified.getTime() || byName(a, b))
  if (letters.has('S')) return (a, b) => sign * (b.facts.size - a.facts.size || byName(a, b))
  return (a, b) => sign * byName(a, b)
}

function sizeText(size: number, letters: Letters): string {
  if (!letters.has('h') || size < 1024) return String(size)
  const units = ['K', 'M', 'G', 'T']
  let [value, at] = [size / 1024, 0]
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024
    at += 1
  }
  return `${value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : Math.ceil(value)}${units[at]}`
}

function timeText(time: Date, { recent, old }: TimeStyle): string {
  const isOld = Math.abs(Date.now() - time.getTime()) > HALF_YEAR
  return strftime((isOld ? old : recent).replaceAll('%N', nanoseconds(time)), time)
}

function mark({ kind, mode }: FileFacts, letters: Letters): string {
  if (kind === 'directory') return letters.has('F') || letters.has('p') ? '/' : ''
  if (!letters.has('F')) return ''
  return kind === 'symbolic link' ? '@' : (mode & 0o111) !== 0 ? '*' : ''
}

function lines(entries: readonly Entry[], { letters, time }: LsOptions, user: string): string {
  if (!letters.has('l') && !letters.has('n') && !letters.has('o') && !letters.has('g'))
    return entries.map((entry) => `${entry.name}${mark(entry.facts, letters)}\n`).join('')
  const owner = letters.has('n') ? '1000' : user
  const names = [
    ...(letters.has('g') ? [] : [owner]),
    ...(letters.has('o') || letters.has('G') ? [] : [owner]),
  ]
  const sizes = entries.map(({ facts }) => sizeText(facts.size, letters))
  const width = Math.max(0, ...sizes.map((size) => size.length))
  return entries
    .map(({ name, facts }, at) => {
      const link = facts.target === undefined ? mark(facts, letters) : ` -> ${facts.target}`
      const links = facts.kind === 'directory' ? 2 : 1
      const head = [facts.modeText, links, ...names, (sizes[at] ?? '').padStart(width)].join(' ')
      return `${head} ${timeText(facts.modified, time)} ${name}${link}\n`
    })
    .join('')
}

async function folder(path: string, letters: Letters, context: CommandContext): Promise<Entry[]> {
  const names = await context.fs.readdir(path)
  const shown = names.filter((name) => !name.startsWith('.') || letters.has('a') || letters.has('A'))
  const dots = letters.has('a') ? ['.', '..'] : []
  const join = (name: string) => context.fs.resolvePath(path, name)
  const entries = await Promise.all(
    [...dots, ...shown].map((name) => entryOf(name, join(name), context, letters.has('L'))),
  )
  return entries.sort(compare(letters))
}

async function listing(
  name: string,
  path: string,
  options: LsOptions,
  context: CommandContext,
): Promise<string[]> {
  const { letters } = options
  const user = context.env.get('USER') ?? 'user'
  const entries = await folder(path, letters, context)
  const isLong = ['l', 'n', 'o', 'g'].some((letter) => letters.has(letter))
  const blocks = entries.reduce(
    (sum, { facts }) => sum + (facts.kind === 'symbolic link' ? 0 : Math.ceil(facts.size / 4096) * 4),
    0,
  )
  const found = [(isLong ? `total ${blocks}\n` : '') + lines(entries, options, user)]
  if (!letters.has('R')) return found
  for (const entry of entries)
    if (entry.facts.kind === 'directory' && entry.name !== '.' && entry.name !== '..') {
      const inner = `${name === '/' ? '' : name}/${entry.name}`
      const below = await listing(inner, context.fs.resolvePath(path, entry.name), options, context)
      found.push(`${inner}:\n${below[0]}`, ...below.slice(1))
    }
  return found
}

/** Whether a link that is named is itself what is listed, and not the directory that it leads to. */
const leavesLinks = (letters: Letters) =>
  !letters.has('L') && ['l', 'n', 'o', 'g', 'F'].some((letter) => letters.has(letter))

const isLinkAt = async (path: string, { fs }: CommandContext) =>
  (await fs.lstat(path).catch(() => undefined))?.isSymbolicLink === true

const wrongOption = (word: string) =>
  `${word.startsWith('--') ? `unrecognized option '${word}'` : `invalid option -- '${word.slice(1)}'`}\nTry 'ls --help' for more information.`

async function list(args: readonly string[], context: CommandContext): Promise<Answer> {
  const read = readLs(args)
  if (typeof read === 'string') return failed('ls', wrongOption(read), 2)
  const { letters } = read
  const paths = read.paths.length === 0 ? ['.'] : [...read.paths]
  const files: Entry[] = []
  const folders: { name: string; path: string }[] = []
  let stderr = ''
  for (const name of paths) {
    const path = context.fs.resolvePath(context.cwd, name)
    const stat = await context.fs.stat(path).catch(() => context.fs.lstat(path).catch(() => undefined))
    const isLink = leavesLinks(letters) && !name.endsWith('/') && (await isLinkAt(path, context))
    if (stat === undefined) stderr += `ls: cannot access '${name}': No such file or directory\n`
    else if (stat.isDirectory && !letters.has('d') && !isLink) folders.push({ name, path })
    else files.push(await entryOf(name, path, context, letters.has('L')))
  }
  const blocks: string[] =
    files.length === 0 ? [] : [lines(files.sort(compare(letters)), read, context.env.get('USER') ?? 'user')]
  folders.sort((left, right) => (left.name < right.name ? -1 : 1))
  for (const { name, path } of folders) {
    const [first = '', ...below] = await listing(name, path, read, context)
    blocks.push((paths.length > 1 || letters.has('R') ? `${name}:\n` : '') + first, ...below)
  }
  return { stdout: blocks.join('\n'), stderr, exitCode: stderr === '' ? 0 : 2, stdoutKind: 'text' }
}

/** `ls` with the modes, sizes and times of the file system; names one a line, sorted by code unit. */
export const ls: OwnCommand = { name: 'ls', run: list }

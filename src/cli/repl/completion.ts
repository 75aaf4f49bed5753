import type { EngineName } from '../../contract/lease.ts'
import type { FileInfo } from '../../sandbox/results.ts'
import { type Dialect, dialects } from './dialect.ts'

/** What completion looks things up in: the directories of a sandbox. */
export interface Directories {
  readonly shell: EngineName
  listFiles(path: string): Promise<readonly FileInfo[]>
}

/** What can stand for the last word of a line, and that word as it was typed. */
export type Completions = readonly [candidates: string[], word: string]

/** Candidates for the word at the end of a line: a command where one can stand, else a path. */
export async function complete(line: string, directories: Directories): Promise<Completions> {
  const { word, quote } = lastWord(line)
  const typed = quote === '' ? word.replaceAll(/\\(.)/g, '$1') : word.slice(1)
  const before = line.slice(0, line.length - word.length)
  const isCommand = quote === '' && !typed.includes('/') && beginsCommand(before)
  const dialect = dialects[directories.shell]
  const found = await (isCommand ? commands : paths)(typed, directories, dialect)
  const candidates = found.filter((text) => isTypeable(text, quote)).map((text) => written(text, quote))
  const [only = ''] = candidates
  if (candidates.length !== 1 || only.endsWith('/')) return [candidates, word]
  return [[`${only}${quote} `], word]
}

/** The word as it was typed, and the quote in it that is open. */
interface TypedWord {
  readonly word: string
  readonly quote: string
}

function lastWord(line: string): TypedWord {
  const closed = line.replaceAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/g, (part) => '_'.repeat(part.length))
  const [found = ''] = /(?:'[^']*|"[^"]*|[^\s'"\\;|&<>(){}`$=]*)$/.exec(closed) ?? []
  return { word: line.slice(line.length - found.length), quote: /^['"]/.exec(found)?.[0] ?? '' }
}

const keywords = /(?:^|\s)(?:then|do|else|elif|if|while|until|!|command|exec|time|xargs)\s+$/

function beginsCommand(before: string): boolean {
  return /(?:^|[;|&({`])\s*$/.test(before) || keywords.test(before)
}

async function commands(prefix: string, directories: Directories, { builtins }: Dialect): Promise<string[]> {
  const programs = await names('/bin', directories)
  // The engine's own parts begin with two underscores.
  const own = programs.map(({ name }) => name).filter((name) => !name.startsWith('__'))
  const all = new Set([...own, ...builtins])
  return [...all].filter((name) => name.startsWith(prefix)).sort()
}

async function paths(typed: string, directories: Directories, { home }: Dialect): Promise<string[]> {
  const slash = typed.lastIndexOf('/') + 1
  const [place, prefix] = [typed.slice(0, slash), typed.slice(slash)]
  const entries = await names(place.replace(/^~\//, `${home}/`) || '.', directories)
  return entries
    .filter(({ name }) => name.startsWith(prefix) && (prefix !== '' || !name.startsWith('.')))
    .map(({ name, isDir }) => `${place}${name}${isDir === true ? '/' : ''}`)
}

async function names(directory: string, directories: Directories): Promise<readonly FileInfo[]> {
  try {
    return await directories.listFiles(directory)
  } catch {
    // What cannot be listed has nothing to offer.
    return []
  }
}

/** Whether a path can be written with this quote open, on one line. */
function isTypeable(text: string, quote: string): boolean {
  return !/\p{C}/u.test(text) && (quote === '' || !(quote === '"' ? /["$`\\]/ : /'/).test(text))
}

function written(text: string, quote: string): string {
  return quote === '' ? text.replaceAll(/[\s'"\\;|&<>(){}[\]`$*?#!=]/g, '\\$&') : `${quote}${text}`
}

import { parseDate } from '../commands/date-words.ts'
import type { FileFacts } from '../commands/file-facts.ts'
import { globPattern } from '../text/glob.ts'
import { changedMode } from '../text/mode.ts'
import { compilePattern } from '../text/pattern.ts'
import { FindError, type Test } from './nodes.ts'

const baseOf = (path: string) =>
  path
    .replace(/(?<=.)\/+$/, '')
    .split('/')
    .at(-1) || path

export const named = (glob: string, ignoreCase: boolean): Test => {
  const pattern = new RegExp(globPattern(glob), ignoreCase ? 'si' : 's')
  return ({ path }) => pattern.test(baseOf(path))
}

export const pathed = (glob: string, ignoreCase: boolean): Test => {
  const pattern = new RegExp(globPattern(glob), ignoreCase ? 'si' : 's')
  return ({ path }) => pattern.test(path)
}

export const linked = (glob: string, ignoreCase: boolean): Test => {
  const pattern = new RegExp(globPattern(glob), ignoreCase ? 'si' : 's')
  return ({ facts }) => facts.target !== undefined && pattern.test(facts.target)
}

const BASIC = new Set([
  'emacs',
  'findutils-default',
  'posix-basic',
  'posix-minimal-basic',
  'grep',
  'sed',
  'ed',
])
const EXTENDED = new Set(['posix-extended', 'egrep', 'posix-egrep', 'awk', 'posix-awk', 'gnu-awk'])

/** `-regex` matches the whole path. In the syntax of emacs `+` and `?` repeat, and `\|` and `\(` are operators. */
export function regex(source: string, syntax: string, ignoreCase: boolean): Test {
  const extended = EXTENDED.has(syntax)
  if (!extended && !BASIC.has(syntax)) throw new FindError(`Unknown regular expression type '${syntax}'`)
  const emacs = syntax === 'emacs' || syntax === 'findutils-default'
  const text = emacs
    ? source.replaceAll(/\\.|\[\^?\]?[^\]]*\]|[+?]/gs, (piece) =>
        piece === '+' || piece === '?' ? `\\${piece}` : piece,
      )
    : source
  const pattern = compilePattern(text, {
    syntax: extended ? 'extended' : 'basic',
    program: 'grep',
    ignoreCase,
    whole: 'text',
  })
  return ({ path }) => pattern.test(path)
}

const LETTERS: Readonly<Record<string, FileFacts['kind']>> = {
  f: 'regular file',
  d: 'directory',
  l: 'symbolic link',
}

const kindsOf = (letters: string) =>
  letters.split(',').map((letter) => {
    if (!/^[fdlbcps]$/.test(letter)) throw new FindError(`Unknown argument to -type: ${letter}`)
    return LETTERS[letter]
  })

export function typed(letters: string): Test {
  const kinds = kindsOf(letters)
  return ({ facts }) => kinds.includes(facts.kind)
}

/** `-xtype`: of what a link leads to, where it leads anywhere. */
export function typedBehindLinks(letters: string): Test {
  const kinds = kindsOf(letters)
  return async (entry, actions) => kinds.includes(((await actions.followed(entry)) ?? entry.facts).kind)
}

/** Whether one of the bits stands in the mode of the file, or of what a link leads to. Directories can always be searched. */
export function permits(bits: number): Test {
  return async (entry, actions) => {
    const facts = await actions.followed(entry)
    return (
      facts !== undefined && ((bits === 0o111 && facts.kind === 'directory') || (facts.mode & bits) !== 0)
    )
  }
}

/** `+5`, `-5` or `5`. */
export function counted(text: string, name: string): (value: number) => boolean {
  const [, sign = '', digits] = /^([-+]?)(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (digits === undefined) throw new FindError(`invalid argument \`${text}' to \`${name}'`)
  const wanted = Number(digits)
  return (value) => (sign === '+' ? value > wanted : sign === '-' ? value < wanted : value === wanted)
}

const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 }

export function sized(text: string): Test {
  const [, count = '', unit = 'b'] = /^([-+]?\d+)([cwbkMG])?$/.exec(text) ?? []
  if (count === '') throw new FindError(`Invalid argument \`${text}' to -size`)
  const matches = counted(count, '-size')
  return ({ facts }) => matches(Math.ceil(facts.size / (UNITS[unit] ?? 512)))
}

/** `-mtime`, `-mmin`: whole units since the last write. */
export function aged(text: string, name: string, unit: number, now: number): Test {
  const matches = counted(text, name)
  const minutes = unit === 60_000
  return ({ facts }) => {
    const age = (now - facts.modified.getTime()) / unit
    if (!minutes) return matches(Math.floor(age))
    return text.startsWith('-') || text.startsWith('+') ? matches(age) : matches(Math.ceil(age))
  }
}

export function newerThanTime(text: string): Test {
  const date = parseDate(text, new Date())
  if (date === undefined)
    throw new FindError(`I cannot figure out how to interpret '${text}' as a date or time`)
  return ({ facts }) => facts.modified.getTime() > date.getTime()
}

function modeOf(text: string): number {
  const mode = changedMode(text, { mode: 0, isDirectory: false, umask: 0 })
  if (mode === undefined) throw new FindError(`invalid mode '${text}'`)
  return mode
}

/** `-perm 644`, `-perm -u+x` (all of them), `-perm /222` (one of them). */
export function permitted(text: string): Test {
  const kind = text[0] === '-' || text[0] === '/' ? text[0] : ''
  const mode = modeOf(text.slice(kind.length))
  if (kind === '-') return ({ facts }) => (facts.mode & mode) === mode
  if (kind === '/') return ({ facts }) => mode === 0 || (facts.mode & mode) !== 0
  return ({ facts }) => facts.mode === mode
}

import { strftime } from '../text/strftime.ts'
import type { Entry } from './nodes.ts'
import { FindError } from './nodes.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  '\\': '\\',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
}

const LETTERS: Readonly<Record<string, string>> = {
  'regular file': 'f',
  directory: 'd',
  'symbolic link': 'l',
}

const baseOf = (path: string) =>
  path
    .replace(/(?<=.)\/+$/, '')
    .split('/')
    .at(-1) || path
const folderOf = (path: string) => (path.includes('/') ? path.replace(/\/[^/]*$/, '') : '.')

/** `2024-01-02 03:04:05.0000000000` by a letter of `%T`. */
function time(modified: Date, letter: string): string {
  const fraction = `${String(modified.getTime() % 1000).padStart(3, '0')}0000000`
  if (letter === '@') return `${Math.floor(modified.getTime() / 1000)}.${fraction}`
  if (letter === 'S') return `${strftime('%S', modified)}.${fraction}`
  if (letter === 'T') return `${strftime('%T', modified)}.${fraction}`
  if (letter === '+') return `${strftime('%F+%T', modified)}.${fraction}`
  return strftime(`%${letter}`, modified)
}

function directive(letter: string, { path, start, depth, facts }: Entry): string | undefined {
  switch (letter) {
    case 'p':
      return path
    case 'f':
      return baseOf(path)
    case 'h':
      return folderOf(path)
    case 'P':
      return path === start ? '' : path.slice(start.length).replace(/^\//, '')
    case 'H':
      return start
    case 's':
      return String(facts.size)
    case 'b':
      return String(Math.ceil(facts.size / 4096) * 8)
    case 'k':
      return String(Math.ceil(facts.size / 4096) * 4)
    case 'd':
      return String(depth)
    case 'm':
      return facts.mode.toString(8)
    case 'M':
      return facts.modeText
    case 'y':
    case 'Y':
      return LETTERS[facts.kind] ?? '?'
    case 'l':
      return facts.target ?? ''
    case 'u':
    case 'g':
      return 'user'
    case 'U':
    case 'G':
      return '1000'
    case 'n':
      return facts.kind === 'directory' ? '2' : '1'
    case 't':
    case 'a':
    case 'c':
      return `${strftime('%a %b %e %H:%M:%S', facts.modified)}.${String(facts.modified.getTime() % 1000).padStart(3, '0')}0000000 ${strftime('%Y', facts.modified)}`
    case '%':
      return '%'
    default:
      return undefined
  }
}

/** The text of `-printf format` for an entry. @throws {FindError} */
export function printed(format: string, entry: Entry): string {
  return format.replaceAll(
    /\\([0-7]{1,3}|.)|%([-0+ #]*)(\d*)(?:\.(\d+))?(?:([TACB])([a-zA-Z@+])|(.))/gs,
    (whole, escaped, flags, width, precision, of, part, letter) => {
      if (escaped !== undefined)
        return /^[0-7]{2,3}$/.test(escaped)
          ? String.fromCharCode(Number.parseInt(escaped, 8))
          : (ESCAPES[escaped] ?? whole)
      const text = of === undefined ? directive(letter, entry) : time(entry.facts.modified, part)
      if (text === undefined) throw new FindError(`-printf: %${letter} is not known here`)
      const cut = precision === undefined ? text : text.slice(0, Number(precision))
      if (flags.includes('-')) return cut.padEnd(Number(width))
      return cut.padStart(Number(width), flags.includes('0') && /^\d+$/.test(cut) ? '0' : ' ')
    },
  )
}

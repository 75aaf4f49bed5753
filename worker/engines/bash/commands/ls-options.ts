/** Formats of `date` for times of the last half year, and for others. */
export interface TimeStyle {
  readonly recent: string
  readonly old: string
}

/** What `ls` was asked for. */
export interface LsOptions {
  readonly letters: ReadonlySet<string>
  readonly time: TimeStyle
  readonly paths: readonly string[]
}

const LONG: Readonly<Record<string, string>> = {
  all: 'a',
  'almost-all': 'A',
  recursive: 'R',
  reverse: 'r',
  'human-readable': 'h',
  directory: 'd',
  inode: 'i',
  classify: 'F',
  size: 's',
  dereference: 'L',
  escape: 'b',
}

const always = (format: string): TimeStyle => ({ recent: format, old: format })
const LOCALE: TimeStyle = { recent: '%b %e %H:%M', old: '%b %e  %Y' }
const FULL = always('%Y-%m-%d %H:%M:%S.%N %z')

const STYLES: Readonly<Record<string, TimeStyle>> = {
  'full-iso': FULL,
  'long-iso': always('%Y-%m-%d %H:%M'),
  iso: { recent: '%m-%d %H:%M', old: '%Y-%m-%d ' },
  locale: LOCALE,
}

/** `--group-directories-first`, beside the letters. */
export const FOLDERS_FIRST = 'directories'

/** @returns undefined where there is no such style. */
function timeStyle(name: string): TimeStyle | undefined {
  if (!name.startsWith('+')) return STYLES[name.replace(/^posix-/, '')]
  const [old = '', recent = old] = name.slice(1).split('\n')
  return { recent, old }
}

const KNOWN = new Set('1aAlhRrtSdFpinogGbqLCxmsUkNX'.split(''))

/** The first word that `ls` does not know, or its options. */
export function readLs(args: readonly string[]): LsOptions | string {
  const letters = new Set<string>()
  const paths: string[] = []
  let time = LOCALE
  for (const [at, arg] of args.entries()) {
    if (arg === '--') return { letters, time, paths: [...paths, ...args.slice(at + 1)] }
    if (arg.startsWith('--')) {
      const letter = LONG[arg.slice(2)]
      if (letter !== undefined) letters.add(letter)
      else if (arg === '--sort=time') letters.add('t')
      else if (arg === '--sort=size') letters.add('S')
      else if (arg === '--full-time') {
        letters.add('l')
        time = FULL
      } else if (arg.startsWith('--time-style=')) {
        const style = timeStyle(arg.slice('--time-style='.length))
        if (style === undefined) return arg
        time = style
      } else if (arg === '--group-directories-first') letters.add(FOLDERS_FIRST)
      else if (!/^--colou?r/.test(arg)) return arg
    } else if (arg.startsWith('-') && arg !== '-') {
      for (const letter of arg.slice(1)) {
        if (!KNOWN.has(letter)) return `-${letter}`
        letters.add(letter)
      }
    } else paths.push(arg)
  }
  return { letters, time, paths }
}

/** What `ls` was asked for. */
export interface LsOptions {
  readonly letters: ReadonlySet<string>
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

const KNOWN = new Set('1aAlhRrtSdFpinogGbqLCxmsUkNX'.split(''))

/** The first word that `ls` does not know, or its options. */
export function readLs(args: readonly string[]): LsOptions | string {
  const letters = new Set<string>()
  const paths: string[] = []
  for (const [at, arg] of args.entries()) {
    if (arg === '--') return { letters, paths: [...paths, ...args.slice(at + 1)] }
    if (arg.startsWith('--')) {
      const letter = LONG[arg.slice(2)]
      if (letter !== undefined) letters.add(letter)
      else if (arg === '--sort=time') letters.add('t')
      else if (arg === '--sort=size') letters.add('S')
      else if (arg === '--full-time' || arg.startsWith('--time-style')) letters.add('l').add('T')
      else if (!/^--(colou?r|group-directories-first)/.test(arg)) return arg
    } else if (arg.startsWith('-') && arg !== '-') {
      for (const letter of arg.slice(1)) {
        if (!KNOWN.has(letter)) return `-${letter}`
        letters.add(letter)
      }
    } else paths.push(arg)
  }
  return { letters, paths }
}

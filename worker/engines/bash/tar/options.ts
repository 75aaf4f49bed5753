/** A name of a file or member, and the directories that `-C` has named before it, each below the one before. */
export interface Operand {
  readonly name: string
  readonly directories: readonly string[]
}

export interface TarOptions {
  mode: 'c' | 'x' | 't' | 'r' | undefined
  /** `-` is a pipe. */
  archive: string
  /** `-z`, `-j`, `-J`, `--zstd`, or `-a` */
  compression: 'z' | 'j' | 'J' | 'zstd' | 'a' | undefined
  readonly flags: Set<TarFlag>
  /** Directories of `-C`, each below the one before. */
  readonly directories: string[]
  readonly operands: Operand[]
  readonly excluded: string[]
  readonly listedIn: string[]
  readonly excludedIn: string[]
  strip: number
  owner: string | undefined
  group: string | undefined
}

type TarFlag =
  | 'verbose'
  | 'stdout'
  | 'keep'
  | 'skip'
  | 'permissions'
  | 'absolute'
  | 'dereference'
  | 'touch'
  | 'wildcards'
  | 'flat'

const LETTERS: Readonly<Record<string, TarFlag | ''>> = {
  v: 'verbose',
  O: 'stdout',
  k: 'keep',
  p: 'permissions',
  P: 'absolute',
  h: 'dereference',
  m: 'touch',
  // What these ask for is so here in any case.
  o: '',
  S: '',
}

const LONG: Readonly<Record<string, string>> = {
  create: 'c',
  extract: 'x',
  get: 'x',
  list: 't',
  append: 'r',
  file: 'f',
  directory: 'C',
  verbose: 'v',
  gzip: 'z',
  gunzip: 'z',
  bzip2: 'j',
  xz: 'J',
  'auto-compress': 'a',
  'to-stdout': 'O',
  'keep-old-files': 'k',
  'preserve-permissions': 'p',
  'same-permissions': 'p',
  'absolute-names': 'P',
  dereference: 'h',
  touch: 'm',
  'files-from': 'T',
  'exclude-from': 'X',
  sparse: 'S',
  'no-same-owner': 'o',
}

const LONG_FLAGS: Readonly<Record<string, TarFlag | ''>> = {
  'skip-old-files': 'skip',
  wildcards: 'wildcards',
  'no-recursion': 'flat',
  'numeric-owner': '',
  overwrite: '',
  'no-same-permissions': '',
  'same-owner': '',
  recursion: '',
  'no-xattrs': '',
  'no-acls': '',
  'no-selinux': '',
}

/** Long options with a value: those without an entry here are refused. */
const VALUES = new Set(['exclude', 'strip-components', 'owner', 'group', 'format', 'sort', 'warning'])

const TAKES = 'fCTX'

/** Reads the words of `tar`, also letters without a dash. @returns a message where a word is not known */
export function readTar(args: readonly string[]): TarOptions | string {
  const reader = new Reader()
  const words = [...args]
  const [first = ''] = words
  if (first !== '' && !first.startsWith('-')) {
    words.shift()
    for (const letter of first) reader.letter(letter, TAKES.includes(letter) ? words.shift() : undefined)
  }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const long = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(word)
    if (word === '--') for (const rest of words.splice(0)) reader.operand(rest)
    else if (long !== null) reader.long(long[1] ?? '', long[2], words)
    else if (!word.startsWith('-') || word === '-') reader.operand(word)
    else
      for (let at = 1; at < word.length; at += 1) {
        const letter = word[at] ?? ''
        if (!TAKES.includes(letter)) reader.letter(letter, undefined)
        else {
          reader.letter(letter, word.slice(at + 1) || words.shift())
          break
        }
      }
  }
  return reader.fault ?? reader.found
}

class Reader {
  readonly found: TarOptions = {
    mode: undefined,
    archive: '-',
    compression: undefined,
    flags: new Set(),
    directories: [],
    operands: [],
    excluded: [],
    listedIn: [],
    excludedIn: [],
    strip: 0,
    owner: undefined,
    group: undefined,
  }
  fault: string | undefined

  operand(name: string): void {
    this.found.operands.push({ name, directories: [...this.found.directories] })
  }

  letter(letter: string, value: string | undefined): void {
    const { found } = this
    const flag = LETTERS[letter]
    if (TAKES.includes(letter) && value === undefined)
      this.fault ??= `option requires an argument -- '${letter}'`
    else if (letter === 'c' || letter === 'x' || letter === 't' || letter === 'r') {
      if (found.mode !== undefined && found.mode !== letter)
        this.fault ??= "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option"
      found.mode = letter
    } else if (letter === 'z' || letter === 'j' || letter === 'J' || letter === 'a')
      found.compression = letter
    else if (letter === 'f') found.archive = value ?? ''
    else if (letter === 'C') found.directories.push(value ?? '')
    else if (letter === 'T') found.listedIn.push(value ?? '')
    else if (letter === 'X') found.excludedIn.push(value ?? '')
    else if (flag !== undefined && flag !== '') found.flags.add(flag)
    else if (flag === undefined) this.fault ??= `invalid option -- '${letter}'`
  }

  long(name: string, attached: string | undefined, words: string[]): void {
    const { found } = this
    const letter = LONG[name]
    const flag = LONG_FLAGS[name]
    if (letter !== undefined)
      this.letter(letter, TAKES.includes(letter) ? (attached ?? words.shift()) : undefined)
    else if (flag !== undefined && attached === undefined) {
      if (flag !== '') found.flags.add(flag)
    } else if (name === 'zstd') found.compression = 'zstd'
    else if (VALUES.has(name)) this.#value(name, attached ?? words.shift())
    else this.fault ??= `unrecognized option '--${name}'`
  }

  #value(name: string, value: string | undefined): void {
    const { found } = this
    if (value === undefined) this.fault ??= `option '--${name}' requires an argument`
    else if (name === 'exclude') found.excluded.push(value)
    else if (name === 'owner' || name === 'group')
      found[name] = value.replace(/:.*/s, '').replace(/^\+?0$/, 'root')
    else if (name === 'strip-components') {
      if (!/^\d+$/.test(value)) this.fault ??= `Invalid number of elements: ${value}`
      found.strip = Number(value)
    } else if (name === 'sort' && value !== 'name' && value !== 'none')
      this.fault ??= `--sort=${value} is not known here: members come by name`
  }
}

import { bytesOfEscapes } from '../text/byte-escapes.ts'
/** Thrown for what stops a program: a mistake in it, or one while it runs. */
export class AwkError extends Error {
  /** What awk exits with: 1 for a program that cannot be read, 2 else. */
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

type TokenKind =
  | 'number'
  | 'string'
  | 'regex'
  | 'name'
  | 'call'
  | 'builtin'
  | 'word'
  | 'mark'
  | 'newline'
  | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly line: number
}

const WORDS = new Set(
  'BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default'.split(
    ' ',
  ),
)

const BUILTINS: ReadonlySet<string> = new Set(
  (
    'length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system ' +
    'close fflush strftime mktime systime and or xor lshift rshift compl strtonum asort asorti patsplit typeof isarray'
  ).split(' '),
)

const MARKS =
  /^(?:\*\*=|\|&|&&|\|\||\+\+|--|\+=|-=|\*=|\/=|%=|\^=|\*\*|==|<=|>=|!=|!~|>>|[-+*/%^!<>|?:~$=,;(){}[\]])/

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\x07',
  b: '\b',
  '\\': '\\',
  '"': '"',
  '/': '/',
}

/** What the escapes of a string stand for. A backslash before any other character stays. */
export function unescaped(text: string): string {
  return text.replaceAll(
    /((?:\\[0-7]{1,3}|\\x[0-9a-fA-F]{1,2})+)|\\(?:(\r?\n)|(.)|$)/gsu,
    (whole, bytes, line, one) => {
      if (bytes !== undefined) return bytesOfEscapes(bytes)
      if (line !== undefined) return ''
      return one === undefined ? '\\' : (ESCAPES[one] ?? whole)
    },
  )
}

/** After these a slash divides. */
const endsValue = ({ kind, text }: Token): boolean =>
  kind === 'number' ||
  kind === 'string' ||
  kind === 'regex' ||
  kind === 'name' ||
  (kind === 'builtin' && text === 'length') ||
  (kind === 'word' && text === 'getline') ||
  (kind === 'mark' && [')', ']', '$', '++', '--'].includes(text))

/** The tokens of a program. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  let line = 1
  const add = (kind: TokenKind, text: string, length: number) => {
    tokens.push({ kind, text, line })
    at += length
  }
  while (at < source.length) {
    const rest = source.slice(at, at + 2)
    const character = rest[0] ?? ''
    const blank = /[ \t\r]*(?:#[^\n]*)?(?:\\\r?\n)?/y
    blank.lastIndex = at
    const skipped = blank.exec(source)?.[0] ?? ''
    if (skipped.length > 0) {
      at += skipped.length
      line += skipped.endsWith('\n') ? 1 : 0
    } else if (character === '\n') {
      add('newline', '\n', 1)
      line += 1
    } else if (character === '"') at = readString(source, at, line, tokens)
    else if (character === '/' && (tokens.length === 0 || !endsValue(tokens[tokens.length - 1] as Token)))
      at = readRegex(source, at, line, tokens)
    else {
      const word = /[A-Za-z_]\w*|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y
      word.lastIndex = at
      const found = word.exec(source)?.[0]
      if (found === undefined) {
        const mark = MARKS.exec(source.slice(at, at + 3))?.[0]
        if (mark === undefined) throw new AwkError(`line ${line}: syntax error near ${character}`, 1)
        add('mark', mark, mark.length)
      } else if (/^[\d.]/.test(found)) add('number', found, found.length)
      else if (WORDS.has(found)) add('word', found === 'func' ? 'function' : found, found.length)
      else if (BUILTINS.has(found)) add('builtin', found, found.length)
      else add(source[at + found.length] === '(' ? 'call' : 'name', found, found.length)
    }
  }
  tokens.push({ kind: 'newline', text: '\n', line }, { kind: 'end', text: 'the end of the program', line })
  return tokens
}

function readString(source: string, from: number, line: number, tokens: Token[]): number {
  const string = /"((?:\\[\s\S]|[^"\\\n])*)"/y
  string.lastIndex = from
  const found = string.exec(source)
  if (found === null) throw new AwkError(`line ${line}: unterminated string`, 1)
  tokens.push({ kind: 'string', text: unescaped(found[1] ?? ''), line })
  return from + found[0].length
}

function readRegex(source: string, from: number, line: number, tokens: Token[]): number {
  const regex = /\/((?:\\[^\n]|\[\^?\]?(?:\[[:.=][^\]\n]*[:.=]\]|\\[^\n]|[^\]\\\n])*\]|[^/\\\n[])*)\//y
  regex.lastIndex = from
  const found = regex.exec(source)
  if (found === null) throw new AwkError(`line ${line}: unterminated regexp`, 1)
  tokens.push({ kind: 'regex', text: (found[1] ?? '').replaceAll('\\/', '/'), line })
  return from + found[0].length
}

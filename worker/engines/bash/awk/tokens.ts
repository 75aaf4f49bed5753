import { AwkError } from './error.ts'

/** A piece of an awk program. `callee` is a name with a parenthesis right behind it. */
export interface Token {
  readonly kind:
    | 'number'
    | 'string'
    | 'regex'
    | 'name'
    | 'callee'
    | 'builtin'
    | 'word'
    | 'sign'
    | 'newline'
    | 'end'
  readonly text: string
  readonly line: number
}

const WORDS = new Set(
  (
    'BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print ' +
    'printf switch case default'
  ).split(' '),
)

const BUILTINS = new Set(
  (
    'length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper ' +
    'system close fflush systime mktime strftime asort asorti and or xor lshift rshift compl strtonum'
  ).split(' '),
)

const SIGN =
  /^(?:\*\*=|\*\*|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|==|<=|>=|!=|!~|&&|\|\||>>|[{}()[\];,+\-*/%^!<>|?:~$=])/
const NUMBER = /^(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/
const BRACKET = /^\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\n\\])*\]/

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  '/': '/',
}

/** What the escapes of a string stand for. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|\n|(.))/gs,
    (_, octal?: string, hex?: string, letter?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      return letter === undefined
        ? ''
        : (ESCAPES[letter] ?? (/[&.$^*+?()|[\]{}]/.test(letter) ? `\\${letter}` : letter))
    },
  )
}

/** Takes an awk program apart. @throws {AwkError} */
export function tokenize(program: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  let at = 0
  const push = (kind: Token['kind'], text: string, length: number) => {
    tokens.push({ kind, text, line })
    at += length
  }
  while (at < program.length) {
    const rest = program.slice(at, at + 4096)
    const blank = /^(?:[ \t\r]+|\\\r?\n|#[^\n]*)/.exec(rest)?.[0]
    if (blank !== undefined) {
      if (blank.startsWith('\\')) line += 1
      at += blank.length
    } else if (rest[0] === '\n') {
      push('newline', '\n', 1)
      line += 1
    } else if (rest[0] === '"') {
      const text = /^"((?:\\[\s\S]|[^"\\\n])*)"/.exec(program.slice(at))
      if (text === null) throw new AwkError(`line ${line}: unterminated string`)
      push('string', withoutEscapes(text[1] ?? ''), text[0].length)
    } else if (rest[0] === '/' && !endsValue(tokens.at(-1))) {
      const length = regexLength(program.slice(at))
      if (length === undefined) throw new AwkError(`line ${line}: unterminated regexp`)
      push('regex', program.slice(at + 1, at + length - 1), length)
    } else {
      const number = NUMBER.exec(rest)?.[0]
      const name = /^[A-Za-z_]\w*/.exec(rest)?.[0]
      const sign = SIGN.exec(rest)?.[0]
      if (number !== undefined) push('number', number, number.length)
      else if (name !== undefined) push(kindOf(name, rest[name.length]), name, name.length)
      else if (sign !== undefined) push('sign', sign, sign.length)
      else throw new AwkError(`line ${line}: syntax error at or near ${rest[0]}`)
    }
  }
  tokens.push({ kind: 'newline', text: '\n', line }, { kind: 'end', text: 'end of program', line })
  return tokens
}

function kindOf(name: string, next: string | undefined): Token['kind'] {
  if (WORDS.has(name)) return 'word'
  if (BUILTINS.has(name)) return 'builtin'
  return next === '(' ? 'callee' : 'name'
}

/** A slash after a value divides. */
const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  (['number', 'string', 'name'].includes(token.kind) ||
    (token.kind === 'builtin' && token.text === 'length') ||
    (token.kind === 'sign' && /^(?:[)\]$]|\+\+|--)$/.test(token.text)))

function regexLength(text: string): number | undefined {
  for (let at = 1; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '[') at += (BRACKET.exec(text.slice(at))?.[0].length ?? 1) - 1
    else if (character === '/') return at + 1
    else if (character === '\n') return undefined
  }
  return undefined
}

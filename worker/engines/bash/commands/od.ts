import { bytes, failed, type OwnCommand, readNamed, reason } from './command.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
}

const RADIXES: Readonly<Record<string, number>> = { o: 8, u: 10, d: 10, x: 16 }

/** Characters of a value, by its type and size. */
const WIDTHS: Readonly<Record<string, number>> = {
  ...{ o1: 3, o2: 6, o4: 11, o8: 22, x1: 2, x2: 4, x4: 8, x8: 16 },
  ...{ u1: 3, u2: 5, u4: 10, u8: 20, d1: 4, d2: 6, d4: 11, d8: 20, c1: 3 },
}

/** Letters that stand for a type. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ b: 'o1', c: 'c', d: 'u2', i: 'd4', l: 'd8', o: 'o2', s: 'd2', x: 'x2' },
}

const LONG: Readonly<Record<string, string>> = {
  'address-radix': 'A',
  format: 't',
  'read-bytes': 'N',
  'skip-bytes': 'j',
  width: 'w',
  'output-duplicates': 'v',
}

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, b: 512, K: 1024, k: 1024, M: 1024 ** 2 }

interface OdRequest {
  kind: string
  size: number
  /** The text beside the values. */
  beside: boolean
  radix: string
  skip: number
  most: number
  width: number
  all: boolean
  readonly paths: string[]
}

class OdError extends Error {}

function numberOf(text: string): number {
  const [, digits = '', suffix = ''] = /^(0x[0-9a-f]+|\d+)([bKkM]?)$/i.exec(text) ?? []
  if (digits === '') throw new OdError(`invalid number '${text}'`)
  return Number(digits) * (SUFFIXES[suffix] ?? 1)
}

function readWords(args: readonly string[]): OdRequest {
  const request: OdRequest = {
    ...{ kind: 'o', size: 2, beside: false, radix: 'o', skip: 0, most: Number.POSITIVE_INFINITY },
    ...{ width: 16, all: false, paths: [] },
  }
  let types = 0
  const take = (letter: string, value: string) => {
    if (letter === 'A') request.radix = value
    else if (letter === 'j') request.skip = numberOf(value)
    else if (letter === 'N') request.most = numberOf(value)
    else if (letter === 'w') request.width = value === '' ? 32 : numberOf(value)
    else {
      const [, kind = '', size = '', beside = ''] = /^([acdoux])(\d*)(z?)$/.exec(value) ?? []
      types += 1
      request.kind = kind
      request.size = kind === 'c' ? 1 : Number(size || '4')
      request.beside = beside !== ''
    }
  }
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      request.paths.push(...words.splice(0))
      continue
    }
    const [, long, attached] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
    const letters = long === undefined ? word.slice(1) : LONG[long]
    if (letters === undefined) throw new OdError(`option ${word} is not known here`)
    if (word === '-' || !word.startsWith('-')) request.paths.push(word)
    else
      for (let at = 0; at < letters.length; at += 1) {
        const letter = letters[at] ?? ''
        if (letter === 'v') request.all = true
        else if (LETTERS[letter] !== undefined) take('t', LETTERS[letter] ?? '')
        else if ('AjNtw'.includes(letter)) {
          const rest = long === undefined ? letters.slice(at + 1) : (attached ?? '')
          take(letter, rest === '' && letter !== 'w' ? (words.shift() ?? '') : rest)
          break
        } else throw new OdError(`invalid option -- '${letter}'`)
      }
  }
  if (types > 1) throw new OdError('several types are not known here')
  if (WIDTHS[`${request.kind}${request.size}`] === undefined || !/^[doxn]$/.test(request.radix))
    throw new OdError('this type or radix is not known here')
  if (request.width % request.size !== 0 || request.width === 0)
    throw new OdError(`invalid width ${request.width}`)
  return request
}

function written(piece: Buffer, { kind, size }: OdRequest): string {
  const [first = 0] = piece
  if (kind === 'c') {
    const character = String.fromCharCode(first)
    return ESCAPES[character] ?? (/[ -~]/.test(character) ? character : first.toString(8).padStart(3, '0'))
  }
  const padded = Buffer.alloc(8)
  piece.copy(padded)
  const value = kind === 'd' ? BigInt.asIntN(size * 8, padded.readBigUInt64LE()) : padded.readBigUInt64LE()
  const text = value.toString(RADIXES[kind])
  return kind === 'd' || kind === 'u' ? text : text.padStart(WIDTHS[`${kind}${size}`] ?? 0, '0')
}

function dumped(data: Buffer, request: OdRequest): string {
  const { kind, size, radix, skip, width, beside, all } = request
  const field = WIDTHS[`${kind}${size}`] ?? 0
  const address = (at: number) =>
    radix === 'n' ? '' : at.toString(RADIXES[radix]).padStart(radix === 'x' ? 6 : 7, '0')
  let text = ''
  let last: Buffer | undefined
  let starred = false
  for (let at = 0; at < data.length; at += width) {
    const line = data.subarray(at, at + width)
    if (!all && last?.equals(line) === true) {
      if (!starred) text += '*\n'
      starred = true
      continue
    }
    let values = ''
    for (let begin = 0; begin < line.length; begin += size)
      values += ` ${written(line.subarray(begin, begin + size), request).padStart(field)}`
    const shown = line.toString('latin1').replaceAll(/[^ -~]/g, '.')
    text += `${address(at + skip)}${beside ? `${values.padEnd((width / size) * (field + 1))}  >${shown}<` : values}\n`
    last = line
    starred = false
  }
  return radix === 'n' ? text : `${text}${address(skip + data.length)}\n`
}

/** `od` of integers and characters, of one type. */
export const od: OwnCommand = {
  name: 'od',
  async run(args, context) {
    try {
      const request = readWords(args)
      const paths = request.paths.length === 0 ? ['-'] : request.paths
      const parts = await Promise.all(paths.map((path) => readNamed(path, context)))
      const data = Buffer.from(parts.join(''), 'latin1')
      if (data.length < request.skip) throw new OdError('cannot skip past end of combined input')
      return bytes(dumped(data.subarray(request.skip, request.skip + request.most), request))
    } catch (error) {
      return failed('od', reason(error))
    }
  },
}

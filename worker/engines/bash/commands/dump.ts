import { bytes, failed, type OwnCommand, readInput, reason } from './command.ts'

const hex = (value: number, width: number) => value.toString(16).padStart(width, '0')
const shown = (text: string) => text.replaceAll(/[^ -~]/g, '.')

/** Lines of sixteen bytes; runs of equal ones as `*`, as `hexdump` and `od` have it. */
function dump(
  data: string,
  line: (chunk: string, at: number) => string,
  end: (size: number) => string,
): string {
  let text = ''
  let last: string | undefined
  let starred = false
  for (let at = 0; at < data.length; at += 16) {
    const chunk = data.slice(at, at + 16)
    if (chunk === last && chunk.length === 16) {
      if (!starred) text += '*\n'
      starred = true
      continue
    }
    text += line(chunk, at)
    last = chunk
    starred = false
  }
  return text + end(data.length)
}

function canonical(chunk: string, at: number): string {
  const half = (from: number) =>
    [...chunk.slice(from, from + 8)]
      .map((char) => hex(char.charCodeAt(0), 2))
      .join(' ')
      .padEnd(23)
  return `${hex(at, 8)}  ${half(0)}  ${half(8)}  |${shown(chunk)}|\n`
}

function words(chunk: string, at: number): string {
  const pairs: string[] = []
  for (let index = 0; index < chunk.length; index += 2)
    pairs.push(hex(chunk.charCodeAt(index) + ((chunk.charCodeAt(index + 1) || 0) << 8), 4))
  return `${hex(at, 7)} ${pairs.join(' ').padEnd(39)}\n`
}

async function input(name: string, paths: readonly string[], context: Parameters<OwnCommand['run']>[1]) {
  try {
    const parts = await Promise.all(
      (paths.length === 0 ? ['-'] : paths).map((path) => readInput(path, context)),
    )
    return parts.join('')
  } catch (error) {
    return failed(name, `${paths.join(' ')}: ${reason(error)}`)
  }
}

export const hexdump: OwnCommand = {
  name: 'hexdump',
  async run(args, context) {
    const letters = args
      .filter((arg) => arg.startsWith('-'))
      .join('')
      .replaceAll('-', '')
    if (!/^[Cvx]*$/.test(letters)) return failed('hexdump', `this hexdump has -C and -v only`)
    const data = await input(
      'hexdump',
      args.filter((arg) => !arg.startsWith('-')),
      context,
    )
    if (typeof data !== 'string') return data
    const isCanonical = letters.includes('C')
    const end = (size: number) => (size === 0 ? '' : `${hex(size, isCanonical ? 8 : 7)}\n`)
    return bytes(dump(data, isCanonical ? canonical : words, end))
  },
}

/** What `xxd` is asked for. */
interface XxdRequest {
  plain: boolean
  reverse: boolean
  upper: boolean
  columns: number | undefined
  group: number
  from: number
  most: number
  readonly paths: string[]
}

function readXxd(args: readonly string[]): XxdRequest | string {
  const request: XxdRequest = {
    ...{ plain: false, reverse: false, upper: false, columns: undefined, group: 2, from: 0 },
    ...{ most: Number.POSITIVE_INFINITY, paths: [] },
  }
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, letter = '', attached = ''] = /^-(p|ps|plain|r|u|[clsg])(\d*)$/.exec(word) ?? []
    if (word === '-' || !word.startsWith('-')) request.paths.push(word)
    else if (letter === 'r') request.reverse = true
    else if (letter === 'u') request.upper = true
    else if (letter.startsWith('p') && attached === '') request.plain = true
    else if (letter === '') return `option ${word} is not known here`
    else {
      const value = Number(attached === '' ? words.shift() : attached)
      if (!Number.isInteger(value) || value < 0) return `a number is expected after -${letter}`
      if (letter === 'c') request.columns = value
      else if (letter === 'l') request.most = value
      else if (letter === 's') request.from = value
      else request.group = value
    }
  }
  return request
}

/** `xxd [-p] [-r -p] [-u] [-c columns] [-g bytes] [-l length] [-s offset] [file]` */
export const xxd: OwnCommand = {
  name: 'xxd',
  async run(args, context) {
    const request = readXxd(args)
    if (typeof request === 'string') return failed('xxd', request)
    if (request.reverse && !request.plain) return failed('xxd', '-r without -p is not known here')
    const read = await input('xxd', request.paths.slice(0, 1), context)
    if (typeof read !== 'string') return read
    if (request.reverse) return bytes(Buffer.from(read.replaceAll(/\s/g, ''), 'hex').toString('latin1'))
    const data = read.slice(request.from, request.from + request.most)
    const hexOf = (text: string) => {
      const digits = Buffer.from(text, 'latin1').toString('hex')
      return request.upper ? digits.toUpperCase() : digits
    }
    const columns = request.columns || (request.plain ? 30 : 16)
    const group = request.group || columns
    const width = columns * 2 + Math.ceil(columns / group) - 1
    let text = ''
    for (let at = 0; at < data.length; at += columns) {
      const chunk = data.slice(at, at + columns)
      const digits = hexOf(chunk)
      const groups = digits.replaceAll(new RegExp(`(.{${group * 2}})(?=.)`, 'g'), '$1 ')
      text += request.plain
        ? `${digits}\n`
        : `${hex(at + request.from, 8)}: ${groups.padEnd(width)}  ${shown(chunk)}\n`
    }
    return bytes(text)
  },
}

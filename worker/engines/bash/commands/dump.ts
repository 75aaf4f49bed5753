import { bytes, failed, type OwnCommand, readInput, reason } from './command.ts'
import { original } from './wrapper.ts'

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

export const xxd: OwnCommand = {
  name: 'xxd',
  async run(args, context) {
    const letters = args.filter((arg) => arg.startsWith('-'))
    if (letters.some((letter) => letter !== '-p' && letter !== '-ps'))
      return failed('xxd', 'this xxd has -p only')
    const data = await input(
      'xxd',
      args.filter((arg) => !arg.startsWith('-')),
      context,
    )
    if (typeof data !== 'string') return data
    const all = Buffer.from(data, 'latin1').toString('hex')
    if (letters.length > 0) return bytes(all.replaceAll(/.{60}|.+$/g, '$&\n'))
    const line = (chunk: string, at: number) => {
      const pairs = Buffer.from(chunk, 'latin1')
        .toString('hex')
        .replaceAll(/(.{4})(?=.)/g, '$1 ')
      return `${hex(at, 8)}: ${pairs.padEnd(40)} ${shown(chunk)}\n`
    }
    let text = ''
    for (let at = 0; at < data.length; at += 16) text += line(data.slice(at, at + 16), at)
    return bytes(text)
  },
}

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

/** How `od` prints a byte of each type. */
const TYPES: Readonly<Record<string, (char: string) => string>> = {
  c: (char) =>
    (ESCAPES[char] ?? (/[ -~]/.test(char) ? char : char.charCodeAt(0).toString(8).padStart(3, '0'))).padStart(
      4,
    ),
  x1: (char) => ` ${hex(char.charCodeAt(0), 2)}`,
  o1: (char) => ` ${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  u1: (char) => String(char.charCodeAt(0)).padStart(4),
}

/** `od -c`, `od -t x1|o1|u1`, `-An`; other types are left to just-bash. */
export const od: OwnCommand = {
  name: 'od',
  async run(args, context) {
    const joined = args.join(' ')
    const type = /(?:^|\s)-\w*c/.test(joined) ? 'c' : /-t ?(x1|o1|u1|c)(?:\s|$)/.exec(joined)?.[1]
    const print = type === undefined ? undefined : TYPES[type]
    const radix = /-An|-A n/.test(joined)
      ? 'n'
      : /-A ?x/.test(joined)
        ? 'x'
        : /-A ?d/.test(joined)
          ? 'd'
          : 'o'
    if (print === undefined || /-[jNwS]/.test(joined)) return original('od', args, context)
    const paths = args.filter((arg, at) => !arg.startsWith('-') && !/^-[tA]$/.test(args[at - 1] ?? ''))
    const data = await input('od', paths, context)
    if (typeof data !== 'string') return data
    const address = (at: number) =>
      radix === 'n' ? '' : radix === 'x' ? hex(at, 6) : at.toString(radix === 'd' ? 10 : 8).padStart(7, '0')
    const line = (chunk: string, at: number) => `${address(at)}${[...chunk].map(print).join('')}\n`
    return bytes(dump(data, line, (size) => (radix === 'n' ? '' : `${address(size)}\n`)))
  },
}

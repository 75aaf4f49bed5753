import { decode, encode, toBytes } from '../text/bytes.ts'
import { bytes, failed, type OwnCommand, readInput, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  count: { type: 'boolean', short: 'c' },
  repeated: { type: 'boolean', short: 'd' },
  'all-repeated': { type: 'boolean', short: 'D' },
  unique: { type: 'boolean', short: 'u' },
  'ignore-case': { type: 'boolean', short: 'i' },
  'skip-fields': { type: 'string', short: 'f' },
  'skip-chars': { type: 'string', short: 's' },
  'check-chars': { type: 'string', short: 'w' },
  'zero-terminated': { type: 'boolean', short: 'z' },
} as const

const COUNTS = ['skip-fields', 'skip-chars', 'check-chars'] as const

/** `uniq [options] [input [output]]` */
export const uniq: OwnCommand = {
  name: 'uniq',
  async run(args, context) {
    const read = readOptions('uniq', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const [input, output, extra] = operands
    if (extra !== undefined) return failed('uniq', `extra operand '${extra}'`)
    const numbers: Record<string, number> = {}
    for (const name of COUNTS) {
      const value = values.get(name)
      if (value === undefined) continue
      if (!/^\d+$/.test(value)) return failed('uniq', `${value}: invalid number for --${name}`)
      numbers[name] = Number(value)
    }
    const end = flags.has('zero-terminated') ? '\0' : '\n'
    const keyOf = (line: string): string => {
      const fields = numbers['skip-fields'] ?? 0
      const rest = line.replace(new RegExp(`^(?:[ \\t]*[^ \\t]*){${fields}}`), '')
      const from = numbers['skip-chars'] ?? 0
      const key = [...rest].slice(from, from + (numbers['check-chars'] ?? rest.length)).join('')
      return flags.has('ignore-case') ? key.toLowerCase() : key
    }
    try {
      const lines = decode(await readInput(input, context)).split(end)
      if (lines.at(-1) === '') lines.pop()
      const text = print(groups(lines, keyOf), flags)
        .map((line) => line + end)
        .join('')
      if (output === undefined || output === '-') return bytes(encode(text))
      await context.fs.writeFile(context.fs.resolvePath(context.cwd, output), toBytes(text))
      return bytes('')
    } catch (error) {
      return failed('uniq', `${input}: ${reason(error)}`)
    }
  },
}

/** Lines beside each other that have the same key. */
function groups(lines: readonly string[], keyOf: (line: string) => string): string[][] {
  const found: string[][] = []
  let last: string | undefined
  for (const line of lines) {
    const key = keyOf(line)
    if (key === last) found.at(-1)?.push(line)
    else found.push([line])
    last = key
  }
  return found
}

function print(all: readonly string[][], flags: ReadonlySet<string>): string[] {
  return all.flatMap((group) => {
    if ((flags.has('repeated') || flags.has('all-repeated')) && group.length < 2) return []
    if (flags.has('unique') && group.length > 1) return []
    if (flags.has('all-repeated')) return group
    const [first = ''] = group
    return [flags.has('count') ? `${String(group.length).padStart(7)} ${first}` : first]
  })
}

import { encode, toBytes } from '../text/bytes.ts'
import { type Answer, bytes, failed, type OwnCommand, reason } from './command.ts'
import { readLines } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  'no-first': { type: 'boolean', short: '1' },
  'no-second': { type: 'boolean', short: '2' },
  'no-both': { type: 'boolean', short: '3' },
  'check-order': { type: 'boolean' },
  'nocheck-order': { type: 'boolean' },
  'output-delimiter': { type: 'string' },
  total: { type: 'boolean' },
  'zero-terminated': { type: 'boolean', short: 'z' },
} as const

export const byteOrder = (left: string, right: string): number =>
  left === right ? 0 : Buffer.compare(toBytes(left), toBytes(right))

/** `comm [-123] a b`: lines of two sorted files. Where one is not sorted, the answer says so after its output. */
export const comm: OwnCommand = {
  name: 'comm',
  async run(args, context): Promise<Answer> {
    const read = readOptions('comm', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const [left, right, extra] = operands
    if (left === undefined || right === undefined) return failed('comm', 'missing operand')
    if (extra !== undefined) return failed('comm', `extra operand '${extra}'`)
    const end = flags.has('zero-terminated') ? '\0' : '\n'
    const files: (readonly string[])[] = []
    for (const path of [left, right])
      try {
        files.push((await readLines(path, context, end)).lines)
      } catch (error) {
        return failed('comm', `${path}: ${reason(error)}`)
      }
    return merged(files[0] ?? [], files[1] ?? [], flags, values.get('output-delimiter') ?? '\t', end)
  },
}

function merged(
  left: readonly string[],
  right: readonly string[],
  flags: ReadonlySet<string>,
  delimiter: string,
  end: string,
): Answer {
  const shown = ['no-first', 'no-second', 'no-both'].map((name) => !flags.has(name))
  const margins = shown.map((_, at) => delimiter.repeat(shown.slice(0, at).filter(Boolean).length))
  const totals = [0, 0, 0]
  const unsorted = new Set<number>()
  let [output, a, b, unpaired] = ['', 0, 0, false]
  const checked = (lines: readonly string[], at: number, file: number) => {
    const [before, line] = [lines[at - 1], lines[at]]
    if (before !== undefined && line !== undefined && byteOrder(before, line) > 0) unsorted.add(file)
  }
  while (a < left.length || b < right.length) {
    const [one, other] = [left[a], right[b]]
    const order = one === undefined ? 1 : other === undefined ? -1 : byteOrder(one, other)
    const kind = order < 0 ? 0 : order > 0 ? 1 : 2
    const line = (kind === 1 ? other : one) ?? ''
    totals[kind] = (totals[kind] ?? 0) + 1
    if (shown[kind]) output += `${margins[kind]}${line}${end}`
    if (kind !== 2) unpaired = true
    if (kind !== 1) checked(left, ++a, 1)
    if (kind !== 0) checked(right, ++b, 2)
  }
  if (flags.has('total')) output += `${totals.join(delimiter)}${delimiter}total${end}`
  const complains = unsorted.size > 0 && !flags.has('nocheck-order') && (unpaired || flags.has('check-order'))
  if (!complains) return bytes(encode(output))
  const stderr = [...unsorted].map((file) => `comm: file ${file} is not in sorted order\n`).join('')
  return { ...bytes(encode(output), 1), stderr: `${stderr}comm: input is not in sorted order\n` }
}

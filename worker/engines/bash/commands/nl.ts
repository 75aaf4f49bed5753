import { encode } from '../text/bytes.ts'
import { compilePattern } from '../text/pattern.ts'
import { bytes, failed, type OwnCommand } from './command.ts'
import { readAll, splitLines } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  'body-numbering': { type: 'string', short: 'b' },
  'header-numbering': { type: 'string', short: 'h' },
  'footer-numbering': { type: 'string', short: 'f' },
  'number-format': { type: 'string', short: 'n' },
  'number-width': { type: 'string', short: 'w' },
  'number-separator': { type: 'string', short: 's' },
  'starting-line-number': { type: 'string', short: 'v' },
  'line-increment': { type: 'string', short: 'i' },
  'join-blank-lines': { type: 'string', short: 'l' },
  'section-delimiter': { type: 'string', short: 'd' },
  'no-renumber': { type: 'boolean', short: 'p' },
} as const

const STYLES: Readonly<Record<string, (line: string) => boolean>> = {
  a: () => true,
  t: (line) => line !== '',
  n: () => false,
}

function styleOf(text: string): ((line: string) => boolean) | undefined {
  if (!text.startsWith('p')) return STYLES[text]
  const pattern = compilePattern(text.slice(1), { syntax: 'basic', program: 'grep' })
  return (line) => pattern.test(line)
}

/** `nl [options] [file…]` */
export const nl: OwnCommand = {
  name: 'nl',
  async run(args, context) {
    const read = readOptions('nl', args, OPTIONS)
    if (!isGiven(read)) return read
    const { values, flags } = read
    const number = (name: string, usual: number) => Number(values.get(name) ?? usual)
    const styles = {
      ':::': styleOf(values.get('header-numbering') ?? 'n'),
      '::': styleOf(values.get('body-numbering') ?? 't'),
      ':': styleOf(values.get('footer-numbering') ?? 'n'),
    }
    const format = values.get('number-format') ?? 'rn'
    if (Object.values(styles).includes(undefined)) return failed('nl', 'invalid numbering style')
    if (!['ln', 'rn', 'rz'].includes(format))
      return failed('nl', `invalid line numbering format: '${format}'`)
    const [width, step, first, blanks] = [
      number('number-width', 6),
      number('line-increment', 1),
      number('starting-line-number', 1),
      number('join-blank-lines', 1),
    ]
    if (![width, step, first, blanks].every(Number.isInteger) || width < 1)
      return failed('nl', 'invalid number')
    const separator = values.get('number-separator') ?? '\t'
    const delimiter = values.get('section-delimiter') ?? '\\:'
    const { texts, stderr } = await readAll('nl', read.operands, context)
    let [next, empty, style] = [first, 0, styles['::']]
    const shown = (value: number): string => {
      const digits = String(Math.abs(value))
      const sign = value < 0 ? '-' : ''
      if (format === 'ln') return (sign + digits).padEnd(width)
      return format === 'rz'
        ? sign + digits.padStart(width - sign.length, '0')
        : (sign + digits).padStart(width)
    }
    const output = splitLines(texts.map(({ text }) => text).join('')).lines.map((line) => {
      const section = [3, 2, 1].find((times) => line === delimiter.repeat(times))
      if (section !== undefined) {
        style = section === 3 ? styles[':::'] : section === 2 ? styles['::'] : styles[':']
        if (!flags.has('no-renumber') && section > 1) next = first
        return '\n'
      }
      empty = line === '' ? empty + 1 : 0
      const counts = style?.(line) === true && (line !== '' || empty % blanks === 0)
      if (!counts) return `${' '.repeat(width + separator.length)}${line}\n`
      next += step
      return `${shown(next - step)}${separator}${line}\n`
    })
    return { ...bytes(encode(output.join(''))), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

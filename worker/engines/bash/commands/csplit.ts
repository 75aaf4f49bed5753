import { encode } from '../text/bytes.ts'
import { compilePattern } from '../text/pattern.ts'
import { type Answer, done, failed, type OwnCommand, reason } from './command.ts'
import { readLines } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  prefix: { type: 'string', short: 'f' },
  digits: { type: 'string', short: 'n' },
  'suffix-format': { type: 'string', short: 'b' },
  quiet: { type: 'boolean', short: 's' },
  silent: { type: 'boolean', short: 'q' },
  'keep-files': { type: 'boolean', short: 'k' },
  'elide-empty-files': { type: 'boolean', short: 'z' },
  'suppress-matched': { type: 'boolean' },
} as const

/** The pieces of the lines before each place that the patterns name. */
function pieces(
  lines: readonly string[],
  patterns: readonly string[],
  drop: boolean,
): { found: string[][]; wrong?: string } {
  const found: string[][] = []
  let at = 0
  let from = 0
  let before = ''
  for (const pattern of patterns) {
    const repeat = /^\{(\d+|\*)\}$/.exec(pattern)
    const times = repeat === null ? 1 : repeat[1] === '*' ? Number.POSITIVE_INFINITY : Number(repeat[1])
    if (repeat === null) before = pattern
    for (let turn = 0; turn < times; turn += 1) {
      const number = /^\d+$/.test(before) ? Number(before) * (repeat === null ? 1 : turn + 2) : undefined
      const end = number === undefined ? search(lines, before, from) : number - 1
      if (typeof end === 'string') return { found: [...found, lines.slice(at)], wrong: end }
      if (end === undefined || end > lines.length || end < at) {
        if (times === Number.POSITIVE_INFINITY) break
        return {
          found: [...found, lines.slice(at)],
          wrong: `'${before}': ${number === undefined ? 'match not found' : 'line number out of range'}`,
        }
      }
      if (!before.startsWith('%')) found.push(lines.slice(at, end))
      at = end + (drop && number === undefined ? 1 : 0)
      from = end + 1
    }
  }
  return { found: [...found, lines.slice(at)] }
}

function search(lines: readonly string[], text: string, from: number): number | undefined | string {
  const [, , source = '', offset = '0'] = /^([/%])([\s\S]*)\1([-+]?\d+)?$/.exec(text) ?? []
  if (!/^[/%]/.test(text)) return `'${text}': invalid pattern`
  const pattern = compilePattern(source, { syntax: 'basic', program: 'grep' })
  for (let at = from; at < lines.length; at += 1)
    if (pattern.test(lines[at] ?? '')) return at + Number(offset)
  return undefined
}

/** `csplit [-f prefix] [-n digits] [-b format] [-skz] file pattern…` */
export const csplit: OwnCommand = {
  name: 'csplit',
  async run(args, context): Promise<Answer> {
    const read = readOptions('csplit', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const [path, ...patterns] = operands
    if (path === undefined || patterns.length === 0) return failed('csplit', 'missing operand')
    const format = values.get('suffix-format') ?? `%0${values.get('digits') ?? '2'}d`
    const parts = /^([^%]*)%(0?)(\d*)[diu]([^%]*)$/.exec(format)
    if (parts === null) return failed('csplit', `invalid format in suffix: ${format}`)
    const [, head = '', zero = '', width = '', tail = ''] = parts
    try {
      const { lines, ended } = await readLines(path, context)
      const { found, wrong } = pieces(lines, patterns, flags.has('suppress-matched'))
      let stdout = ''
      const kept = found.filter((piece) => piece.length > 0 || !flags.has('elide-empty-files'))
      for (const [at, piece] of kept.entries()) {
        const last = at === kept.length - 1 && !ended
        const text = piece
          .map((line, index) => (last && index === piece.length - 1 ? line : `${line}\n`))
          .join('')
        const content = Buffer.from(encode(text), 'latin1')
        const name = `${values.get('prefix') ?? 'xx'}${head}${String(at).padStart(Number(width), zero === '' ? ' ' : '0')}${tail}`
        if (wrong === undefined || flags.has('keep-files'))
          await context.fs.writeFile(context.fs.resolvePath(context.cwd, name), content)
        stdout += `${content.length}\n`
      }
      const told = flags.has('quiet') || flags.has('silent') ? '' : stdout
      return wrong === undefined ? done(told) : { ...failed('csplit', wrong), stdout: told }
    } catch (error) {
      return failed('csplit', `${path}: ${reason(error)}`)
    }
  },
}

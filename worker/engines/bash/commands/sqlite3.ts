import { formatDouble } from '../text/format-number.ts'
import type { OwnCommand } from './command.ts'
import { original } from './wrapper.ts'

/** A number of more digits than sqlite3 prints, alone in its field. */
const LONG = /(?<![\w.+-])-?\d(?:\d*\.\d+(?:e[-+]?\d+)?|\.?\d*e[-+]?\d+|\d{18,})(?![\w.])/g

/** Modes that print as many digits as make the number. */
const EXACT: ReadonlySet<string> = new Set(['-json', '-quote'])
/** Modes whose columns are aligned. */
const ALIGNED: ReadonlySet<string> = new Set(['-column', '-table', '-box', '-markdown'])
const TAKES_VALUE: ReadonlySet<string> = new Set(['-separator', '-newline', '-nullvalue', '-cmd'])

/** The text of a number that just-bash prints with 17 digits; others, such as texts of a table, stay. */
function shortened(text: string): string {
  const value = Number(text)
  const isInteger = Number.isInteger(value)
  const printed = isInteger ? String(value) : value.toPrecision(17).replace(/\.?0+$/, '')
  if (printed !== text || (isInteger && Math.abs(value) <= 2 ** 63)) return text
  const digits = formatDouble(value, { flags: '', width: 0, precision: 15, letter: 'g' })
  return digits.includes('.') ? digits : digits.replace(/^-?\d+/, '$&.0')
}

/** The words with the statements behind the database as one: just-bash takes the first alone. */
function joined(args: readonly string[]): string[] {
  const isValue = (at: number) => TAKES_VALUE.has(args[at - 1] ?? '')
  const operands = args.flatMap((arg, at) => (arg.startsWith('-') || isValue(at) ? [] : [at]))
  const [, first, ...more] = operands
  if (first === undefined || more.length === 0) return [...args]
  const sql = [first, ...more].map((at) => args[at]).join(';\n')
  return args.flatMap((arg, at) => (at === first ? [sql] : more.includes(at) ? [] : [arg]))
}

/** `sqlite3` with numbers of 15 digits. */
export const sqlite3: OwnCommand = {
  name: 'sqlite3',
  async run(args, context) {
    const answer = await original('sqlite3', joined(args), context)
    if (args.some((arg) => EXACT.has(arg))) return answer
    const aligned = args.some((arg) => ALIGNED.has(arg))
    const print = (text: string) => shortened(text).padEnd(aligned ? text.length : 0)
    return { ...answer, stdout: answer.stdout.replaceAll(LONG, print) }
  },
}

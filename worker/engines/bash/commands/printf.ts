import type { CommandContext } from '../just-bash.ts'
import { decode, encode } from '../text/bytes.ts'
import { type Conversion, formatDouble, formatInteger, pad } from '../text/format-number.ts'
import { type Answer, failed, type OwnCommand } from './command.ts'
import { escapes, integerOf, realOf } from './printf-values.ts'
import { shellWord } from './shell-word.ts'
import { original } from './wrapper.ts'

const SPEC = /%(?:%|([-+ 0#']*)(\*|-?\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|j|z|t|L)?(.|$))/gs

/** Thrown where the format is wrong: what was written before stands. */
class FormatError extends Error {}

/** One run of `printf`. Text is bytes in latin1: widths count bytes, and `\xc3` is one. */
class Printf {
  readonly #args: string[]
  readonly #limit: number
  readonly #complaints: string[] = []
  #text = ''
  #ended = false
  #used = 0

  constructor(args: readonly string[], limit: number) {
    this.#args = args.map(encode)
    this.#limit = limit
  }

  run(format: string): Answer {
    let exitCode = 0
    try {
      do {
        const before = this.#used
        this.#once(format)
        if (this.#used === before) break
      } while (this.#used < this.#args.length && !this.#ended)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      this.#complaints.push(error.message)
    }
    if (this.#complaints.length > 0) exitCode = 1
    const stderr = this.#complaints.map((complaint) => `bash: printf: ${complaint}\n`).join('')
    return { stdout: this.#text, stderr, exitCode, stdoutKind: 'bytes' }
  }

  #once(format: string): void {
    let from = 0
    for (const match of format.matchAll(SPEC)) {
      this.#add(escapes(format.slice(from, match.index), false).text)
      from = match.index + match[0].length
      const [whole, flags = '', width, precision, letter = ''] = match
      if (whole === '%%') this.#add('%')
      else this.#add(this.#conversion(flags, width, precision, letter))
      if (this.#ended) return
    }
    this.#add(escapes(format.slice(from), false).text)
  }

  #conversion(
    flags: string,
    width: string | undefined,
    precision: string | undefined,
    letter: string,
  ): string {
    const wide = this.#count(width) ?? 0
    const exact = this.#count(precision)
    const conversion: Conversion = {
      flags: wide < 0 ? `${flags}-` : flags,
      width: Math.abs(wide),
      precision: exact === undefined || exact < 0 ? undefined : exact,
      letter,
    }
    if (conversion.width > this.#limit || (conversion.precision ?? 0) > this.#limit)
      throw new FormatError(`more than ${this.#limit} characters do not fit here`)
    return this.#shown(conversion)
  }

  #shown(conversion: Conversion): string {
    const { letter, precision } = conversion
    const arg = this.#args[this.#used]
    this.#used += 1
    if (letter === 's' || letter === 'b') {
      const { text, ended } = letter === 's' ? { text: arg ?? '', ended: false } : escapes(arg ?? '', true)
      this.#ended ||= ended
      return pad(precision === undefined ? text : text.slice(0, precision), conversion)
    }
    if (letter === 'q') return pad(shellWord(arg ?? '').slice(0, precision), conversion)
    if (letter === 'c') return pad((arg ?? '').slice(0, 1) || '\0', conversion)
    if (letter !== '' && 'diouxX'.includes(letter)) {
      const { value, complaint } = integerOf(arg ?? '', 'di'.includes(letter))
      if (complaint !== undefined) this.#complaints.push(complaint)
      if ('di'.includes(letter)) return formatInteger(value, conversion)
      const flags = conversion.flags.replaceAll(/[+ ]/g, '')
      return formatInteger(BigInt.asUintN(64, value), { ...conversion, flags })
    }
    if (letter !== '' && 'fFeEgG'.includes(letter)) {
      const { value, complaint } = realOf(arg ?? '')
      if (complaint !== undefined) this.#complaints.push(complaint)
      return formatDouble(value, conversion)
    }
    throw new FormatError(
      letter === '' ? '`%: missing format character' : `\`${letter}': invalid format character`,
    )
  }

  #count(text: string | undefined): number | undefined {
    if (text !== '*') return text === undefined ? undefined : Number(text)
    const arg = this.#args[this.#used] ?? '0'
    this.#used += 1
    return Number(integerOf(arg).value)
  }

  #add(text: string): void {
    this.#text += text
    if (this.#text.length > this.#limit)
      throw new FormatError(`more than ${this.#limit} characters do not fit here`)
  }
}

/** just-bash's own `-v` knows elements of arrays as well. */
async function assign(name: string, answer: Answer, context: CommandContext): Promise<Answer> {
  const text = decode(answer.stdout)
  const { stderr, exitCode } = await original('printf', ['-v', name, '%s', text], context)
  return { stdout: '', stderr: answer.stderr + stderr, exitCode: exitCode || answer.exitCode }
}

/** `printf` as bash has it: 64-bit integers, bytes, and a status where a number is none. */
export const printf: OwnCommand = {
  name: 'printf',
  async run(args, context) {
    const into = args[0] === '-v' ? args[1] : undefined
    const words = into === undefined ? [...args] : args.slice(2)
    if (words[0] === '--') words.shift()
    const [format, ...rest] = words
    if (format === undefined) return failed('bash', 'printf: usage: printf [-v var] format [arguments]', 2)
    if (/%[-+ 0#]*\d*(?:\.\d+)?(?:Q|\()/.test(format)) return original('printf', args, context)
    const answer = new Printf(rest, context.limits.maxStringLength).run(encode(format))
    return into === undefined ? answer : assign(into, answer, context)
  },
}

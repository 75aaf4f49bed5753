import { reason } from '../commands/command.ts'
import type { Steps } from './interpreter.ts'
import { AwkError, unescaped } from './lexer.ts'
import { RecordReader } from './reader.ts'
import type { Runtime } from './runtime.ts'
import { fromInput, toNumber } from './values.ts'

const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/

/** Sets a variable as `-v` and operands do. */
export function assignOperand(runtime: Runtime, operand: string): boolean {
  const [, name, value = ''] = ASSIGNMENT.exec(operand) ?? []
  if (name === undefined) return false
  runtime.global(name).value = fromInput(unescaped(value))
  return true
}

/** The records of the files that `ARGV` names, or of stdin. */
export class MainInput {
  readonly #runtime: Runtime
  #reader: RecordReader | undefined
  #at = 1
  #read = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Ends the file that is read. */
  skip(): void {
    this.#reader = undefined
  }

  /** The next record; undefined at the end of all input. Counts it. */
  *next(): Steps<string | undefined> {
    const runtime = this.#runtime
    for (;;) {
      if (this.#reader === undefined && !(yield* this.#open())) return undefined
      const record = this.#reader?.next(runtime.recordEnd())
      if (record !== undefined) {
        runtime.global('RT').value = this.#reader?.ending ?? ''
        runtime.global('NR').value = toNumber(runtime.global('NR').value) + 1
        runtime.global('FNR').value = toNumber(runtime.global('FNR').value) + 1
        return record
      }
      this.#reader = undefined
    }
  }

  *#open(): Steps<boolean> {
    const runtime = this.#runtime
    const { array } = runtime.global('ARGV')
    while (this.#at < toNumber(runtime.global('ARGC').value)) {
      const value = array.get(String(this.#at))
      this.#at += 1
      const operand = value === undefined ? '' : runtime.text(value)
      if (operand === '' || assignOperand(runtime, operand)) continue
      this.#read = true
      if (yield* this.#start(operand)) return true
    }
    if (this.#read) return false
    this.#read = true
    return yield* this.#start('-')
  }

  *#start(name: string): Steps<boolean> {
    const { streams } = this.#runtime
    try {
      const text = yield async () => {
        await streams.flush()
        return streams.readText(name)
      }
      this.#reader = new RecordReader(String(text))
    } catch (error) {
      const why = reason(error)
      if (why === 'Is a directory') {
        streams.warn(`warning: command line argument \`${name}' is a directory: skipped`)
        return false
      }
      throw new AwkError(`fatal: cannot open file \`${name}' for reading: ${why}`)
    }
    this.#runtime.global('FILENAME').value = name === '-' ? '' : name
    this.#runtime.global('FNR').value = 0
    return true
  }
}

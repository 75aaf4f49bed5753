import type { CommandContext } from '../just-bash.ts'
import { SedExecution } from '../sed/execute.ts'
import { SedFiles, SedOutput } from '../sed/files.ts'
import { SedInput } from '../sed/input.ts'
import { SedParser } from '../sed/parse.ts'
import { type SedCommand, SedError } from '../sed/script.ts'
import { decode, encode } from '../text/bytes.ts'
import { type Answer, failed, type OwnCommand, readInput, reason } from './command.ts'

interface SedRequest {
  readonly scripts: string[]
  readonly flags: Set<string>
  /** The suffix of copies, where files are changed in place. */
  suffix: string
  lineLength: number
  readonly operands: string[]
}

const LONG: Readonly<Record<string, string>> = {
  quiet: 'n',
  silent: 'n',
  expression: 'e',
  file: 'f',
  'regexp-extended': 'E',
  'in-place': 'i',
  separate: 's',
  'null-data': 'z',
  unbuffered: 'u',
  'line-length': 'l',
}

async function read(args: readonly string[], context: CommandContext): Promise<SedRequest | Answer> {
  const request: SedRequest = { scripts: [], flags: new Set(), suffix: '', lineLength: 70, operands: [] }
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      request.operands.push(...words)
      break
    }
    if (!/^-./.test(word)) {
      request.operands.push(word)
      continue
    }
    if (word === '--version') return { stdout: 'sed (GNU sed) 4.9\n', stderr: '', exitCode: 0 }
    const long = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(word)
    const letters = long === null ? word.slice(1) : (LONG[long[1] ?? ''] ?? '?')
    for (let at = 0; at < letters.length; at += 1) {
      const letter = letters[at] ?? ''
      if (letter === 'i') {
        request.flags.add('i')
        request.suffix = long === null ? letters.slice(at + 1) : (long[2] ?? '')
        break
      }
      if ('nErszu'.includes(letter)) {
        request.flags.add(letter === 'r' ? 'E' : letter)
        continue
      }
      if (!'efl'.includes(letter)) return failed('sed', `option ${word} is not known here`)
      const value = (long === null ? letters.slice(at + 1) || undefined : long[2]) ?? words.shift()
      if (value === undefined) return failed('sed', `option requires an argument -- '${letter}'`)
      if (letter === 'l') request.lineLength = Number(value)
      else if (letter === 'e') request.scripts.push(value)
      else request.scripts.push(decode(await readInput(value, context)).replace(/\n$/, ''))
      break
    }
  }
  if (request.scripts.length > 0) return request
  const script = request.operands.shift()
  if (script === undefined)
    return failed('sed', 'usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...')
  request.scripts.push(script)
  return request
}

/** Carries out a script over files or stdin. */
class SedRun {
  readonly #request: SedRequest
  readonly #files: SedFiles
  readonly #stdout: SedOutput
  readonly #end: string
  readonly #commands: readonly SedCommand[]
  readonly #maxLength: number
  #errors = ''
  #exitCode = 0

  constructor(request: SedRequest, context: CommandContext) {
    this.#request = request
    this.#maxLength = context.limits.maxStringLength
    this.#end = request.flags.has('z') ? '\0' : '\n'
    this.#stdout = new SedOutput(this.#end)
    this.#files = new SedFiles(context, this.#end, this.#stdout)
    const text = request.scripts.join('\n')
    this.#commands = new SedParser(text, request.flags.has('E')).parse()
  }

  async run(step: () => void): Promise<Answer> {
    const { flags, lineLength, operands, scripts } = this.#request
    await this.#files.prepare(
      this.#commands.filter(({ letter }) => 'rR'.includes(letter)).map(({ text }) => text),
    )
    for (const { letter, text, substitution } of this.#commands) {
      if (letter === 'w' || letter === 'W') this.#files.output(text)
      if (substitution?.file !== undefined) this.#files.output(substitution.file)
    }
    const quiet = flags.has('n') || /^#n(?:\n|$)/.test(scripts[0] ?? '')
    const execution = new SedExecution(
      this.#commands,
      this.#files,
      { quiet, lineLength, maxLength: this.#maxLength },
      step,
    )
    const inPlace = flags.has('i')
    const parts = await this.#load(operands.length === 0 ? ['-'] : operands, inPlace)
    try {
      if (inPlace) await this.#change(parts, execution)
      else if (flags.has('s'))
        for (const part of parts) {
          if (!execution.quit) execution.run(new SedInput([part], this.#end), this.#stdout)
        }
      else execution.run(new SedInput(parts, this.#end), this.#stdout)
      await this.#files.store()
    } catch (error) {
      if (!(error instanceof SedError)) throw error
      this.#errors += `sed: ${error.message}\n`
      this.#exitCode = error.exitCode
    }
    return {
      stdout: encode(this.#stdout.text),
      stderr: this.#files.stderr.text + this.#errors,
      exitCode: execution.exitCode === 0 ? this.#exitCode : execution.exitCode,
      stdoutKind: 'bytes',
    }
  }

  async #load(names: readonly string[], inPlace: boolean): Promise<{ name: string; text: string }[]> {
    const parts: { name: string; text: string }[] = []
    for (const name of names) {
      try {
        if (inPlace && name === '-') throw new Error('ENOENT')
        parts.push({ name, text: await this.#files.load(name) })
      } catch (error) {
        const told = reason(error)
        this.#errors +=
          told === 'Is a directory'
            ? `sed: ${inPlace ? `couldn't edit ${name}: not a regular file` : `read error on ${name}: ${told}`}\n`
            : `sed: can't read ${name}: ${told}\n`
        this.#exitCode = told === 'Is a directory' && inPlace ? 4 : 2
      }
    }
    return parts
  }

  async #change(parts: readonly { name: string; text: string }[], execution: SedExecution): Promise<void> {
    for (const part of parts) {
      if (execution.quit) return
      const output = new SedOutput(this.#end)
      const input = new SedInput([part], this.#end)
      execution.run(input, output)
      // What `q` leaves unread stays in the file.
      for (let line = input.next(); line !== undefined; line = input.next()) output.line(line, input.ended)
      if (this.#request.suffix !== '') await this.#files.backUp(part.name, this.#request.suffix)
      await this.#files.replace(part.name, output.text)
    }
  }
}

export const sed: OwnCommand = {
  name: 'sed',
  async run(args, context, { stop }) {
    try {
      const request = await read(args, context)
      if (!('scripts' in request)) return request
      return await new SedRun(request, context).run(() => stop.step())
    } catch (error) {
      if (error instanceof SedError) return failed('sed', error.message, error.exitCode)
      if (error instanceof Error && /^E[A-Z]+:/.test(error.message)) return failed('sed', reason(error))
      throw error
    }
  },
}

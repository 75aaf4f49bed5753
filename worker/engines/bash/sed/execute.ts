import type { Match, Pattern } from '../text/pattern.ts'
import type { SedFiles, SedOutput } from './files.ts'
import type { SedInput } from './input.ts'
import { expandReplacement } from './replacement.ts'
import { type Address, type SedCommand, SedError, type SedPattern, type Substitution } from './script.ts'
import { visible } from './visible.ts'

export interface SedOptions {
  readonly quiet: boolean
  readonly lineLength: number
  /** The characters that the pattern space and the hold space may have. */
  readonly maxLength: number
}

/** What a cycle ends with. */
type Ending = 'end' | 'deleted' | 'restart' | 'quit' | 'quitSilently'

/** Carries out a script over an input. The hold space and the ranges last from one input to the next. */
export class SedExecution {
  readonly #commands: readonly SedCommand[]
  readonly #files: SedFiles
  readonly #options: SedOptions
  readonly #step: () => void
  #pattern = ''
  #hold = ''
  #replaced = false
  #last: Pattern | undefined
  #append: (() => void)[] = []
  exitCode = 0
  quit = false

  constructor(commands: readonly SedCommand[], files: SedFiles, options: SedOptions, step: () => void) {
    this.#commands = commands
    this.#files = files
    this.#options = options
    this.#step = step
  }

  run(input: SedInput, output: SedOutput): void {
    let ending: Ending = 'end'
    while (ending === 'restart' || this.#read(input)) {
      this.#step()
      if (ending !== 'restart') this.#replaced = false
      ending = this.#cycle(input, output)
      const silent =
        this.#options.quiet || ending === 'deleted' || ending === 'restart' || ending === 'quitSilently'
      if (!silent) output.line(this.#pattern, input.ended)
      this.#flush()
      if (ending === 'quit' || ending === 'quitSilently') {
        this.quit = true
        return
      }
    }
  }

  /** @throws {SedError} where a space has grown too long. */
  #check(): void {
    const { maxLength } = this.#options
    if (this.#pattern.length > maxLength || this.#hold.length > maxLength)
      throw new SedError(`a line passes the size limit of ${maxLength} characters`)
  }

  #read(input: SedInput): boolean {
    const line = input.next()
    if (line === undefined) return false
    this.#pattern = line
    return true
  }

  #flush(): void {
    for (const write of this.#append) write()
    this.#append = []
  }

  #cycle(input: SedInput, output: SedOutput): Ending {
    let at = 0
    while (at < this.#commands.length) {
      this.#step()
      const command = this.#commands[at]
      at += 1
      if (command === undefined) break
      if (this.#selects(command, input) === command.negated) {
        if (command.letter === '{') at = command.target
        continue
      }
      const next = this.#command(command, input, output)
      this.#check()
      if (typeof next === 'number') at = next
      else if (next !== undefined) return next
    }
    return 'end'
  }

  #selects(command: SedCommand, input: SedInput): boolean {
    const [first, second] = command.addresses
    if (first === undefined) return true
    if (second === undefined) return this.#matches(first, input)
    const { line } = input
    if (command.range === undefined) {
      const zero = first.kind === 'line' && first.line === 0
      if (zero ? line !== 1 : !this.#matches(first, input)) return false
      if (zero) {
        if (!this.#matches(second, input)) command.range = 'open'
        return true
      }
      const end = this.#rangeEnd(second, line)
      if (end === 'open' || end > line) command.range = end
      if (second.kind === 'last' && input.isLast) command.range = undefined
      return true
    }
    const ends = command.range === 'open' ? this.#matches(second, input) : line >= command.range
    const past = command.range !== 'open' && line > command.range
    if (ends) command.range = undefined
    // A range that ended at a line before this one begins again where its first address matches.
    return past ? this.#matches(first, input) : true
  }

  #rangeEnd(second: Address, line: number): number | 'open' {
    switch (second.kind) {
      case 'line':
        return second.line
      case 'count':
        return line + second.count
      case 'multiple':
        return second.of === 0 ? line : Math.ceil(line / second.of) * second.of
      default:
        return 'open'
    }
  }

  #matches(address: Address, input: SedInput): boolean {
    switch (address.kind) {
      case 'line':
        return input.line === address.line
      case 'last':
        return input.isLast
      case 'step':
        return address.step === 0
          ? input.line === address.first
          : input.line >= address.first && (input.line - address.first) % address.step === 0
      case 'pattern':
        return this.#use(address.pattern).test(this.#pattern)
      default:
        return false
    }
  }

  #use(pattern: SedPattern): Pattern {
    const found = pattern ?? this.#last
    if (found === undefined) throw new SedError('no previous regular expression')
    this.#last = found
    return found
  }

  /** Where to go on, or how the cycle ends. */
  #command(command: SedCommand, input: SedInput, output: SedOutput): Ending | number | undefined {
    const { letter, text } = command
    const newline = this.#pattern.indexOf('\n')
    switch (letter) {
      case '{':
        return undefined
      case 's':
        if (command.substitution !== undefined && this.#substitute(command.substitution, input, output))
          this.#replaced = true
        return undefined
      case 'y':
        this.#pattern = [...this.#pattern].map((one) => command.map?.get(one) ?? one).join('')
        return undefined
      case 'p':
        output.line(this.#pattern, input.ended)
        return undefined
      case 'P':
        if (newline < 0) output.line(this.#pattern, input.ended)
        else output.line(this.#pattern.slice(0, newline))
        return undefined
      case 'd':
        return 'deleted'
      case 'D':
        if (newline < 0) return 'deleted'
        this.#pattern = this.#pattern.slice(newline + 1)
        return 'restart'
      case 'n':
        if (!input.hasNext) return 'quit'
        if (!this.#options.quiet) output.line(this.#pattern, input.ended)
        this.#flush()
        this.#read(input)
        return undefined
      case 'N': {
        this.#flush()
        const line = input.next()
        if (line === undefined) return 'quit'
        this.#pattern += `\n${line}`
        return undefined
      }
      case 'g':
        this.#pattern = this.#hold
        return undefined
      case 'G':
        this.#pattern += `\n${this.#hold}`
        return undefined
      case 'h':
        this.#hold = this.#pattern
        return undefined
      case 'H':
        this.#hold += `\n${this.#pattern}`
        return undefined
      case 'x':
        ;[this.#pattern, this.#hold] = [this.#hold, this.#pattern]
        return undefined
      case 'z':
        this.#pattern = ''
        return undefined
      case 'b':
        return command.target
      case 't':
      case 'T': {
        const jumps = this.#replaced === (letter === 't')
        this.#replaced = false
        return jumps ? command.target : undefined
      }
      case 'q':
      case 'Q':
        this.exitCode = Number(text)
        return letter === 'q' ? 'quit' : 'quitSilently'
      case 'c':
        if (command.addresses.length < 2 || command.negated || command.range === undefined) output.raw(text)
        return 'deleted'
      default:
        this.#write(command, input, output)
        return undefined
    }
  }

  /** The commands that only write. */
  #write({ letter, text }: SedCommand, input: SedInput, output: SedOutput): void {
    switch (letter) {
      case 'a':
        this.#append.push(() => output.raw(text))
        return
      case 'i':
        output.raw(text)
        return
      case 'r':
        this.#append.push(() => output.raw(this.#files.content(text)))
        return
      case 'R':
        this.#append.push(() => {
          const line = this.#files.nextLine(text)
          if (line !== undefined) output.line(line)
        })
        return
      case 'w':
        this.#target(text, output).line(this.#pattern)
        return
      case 'W':
        this.#target(text, output).line(this.#pattern.split('\n', 1)[0] ?? '')
        return
      case '=':
        output.raw(`${input.line}\n`)
        return
      case 'F':
        output.raw(`${input.name}\n`)
        return
      default: {
        const length = text === '' ? this.#options.lineLength : Number(text)
        output.raw(`${visible(this.#pattern, length)}\n`)
      }
    }
  }

  #target(name: string, output: SedOutput): SedOutput {
    return name === '/dev/stdout' && this.#files.stdout === output ? output : this.#files.output(name)
  }

  #substitute(substitution: Substitution, input: SedInput, output: SedOutput): boolean {
    const pattern = this.#use(substitution.pattern)
    const text = this.#pattern
    const pieces: string[] = []
    let from = 0
    let seen = 0
    for (const match of matches(pattern, text)) {
      seen += 1
      if (seen < substitution.from) continue
      pieces.push(text.slice(from, match.index), expandReplacement(substitution.parts, match))
      from = match.index + (match.texts[0] ?? '').length
      if (!substitution.global) break
    }
    if (pieces.length === 0) return false
    this.#pattern = pieces.join('') + text.slice(from)
    if (substitution.print) output.line(this.#pattern, input.ended)
    if (substitution.file !== undefined) this.#target(substitution.file, output).line(this.#pattern)
    return true
  }
}

const matches = (pattern: Pattern, text: string): Iterable<Match> => pattern.all(text)

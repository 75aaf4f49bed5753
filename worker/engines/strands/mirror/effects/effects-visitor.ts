import type { ScriptVisitor, ScriptWord, SeparatorText } from '../../guards/script-visitor.ts'
import { judgeCommand } from './commands.ts'
import { defines, unread } from './definitions.ts'
import type { Effects } from './effects.ts'
import { both, NONE, WRITES, WRITES_AND_RENAMES } from './effects.ts'
import type { Redirection } from './redirection.ts'
import { judgeRedirection } from './redirection.ts'
import type { Operand } from './scan-word.ts'
import { endOfSubstitution, scanWord } from './scan-word.ts'
import { Structure } from './structure.ts'

const DEEPEST = 8

/** A simple command so far. */
interface Pending {
  /** Some word of it was read. */
  begun: boolean
  /** Its name was read: the name, if it is literal. */
  named: boolean
  name: string | null
  words: Operand[]
  redirection: Redirection | null
  /** It reads from a pipe. */
  piped: boolean
  /** The index after `$(` if the commands around this one are a substitution, else -1. */
  readonly from: number
}

/** Gathers what the commands of a script can do. */
export class EffectsVisitor implements ScriptVisitor {
  readonly #text: string
  readonly #structure: Structure
  readonly #outer: Pending[] = []
  #pending = fresh(false, -1)
  #effects: Effects = NONE
  /** The engine reads the text as the lexer does. */
  #isRead = true

  constructor(text: string) {
    this.#text = text
    this.#structure = new Structure(text)
  }

  get effects(): Effects {
    return this.#isRead ? this.#effects : both(this.#effects, unread(this.#text))
  }

  word(word: ScriptWord): void {
    const pending = this.#pending
    pending.begun = true
    if (word.role === 'delimiter') {
      this.#sure(this.#structure.delimiter(word))
      return
    }
    const scanned = scanWord(this.#text, word)
    if (scanned === null || !this.#structure.word(word)) {
      this.#sure(false)
      return
    }
    if (scanned.hidden) this.#add(WRITES_AND_RENAMES)
    if (word.role === 'command') {
      pending.named = true
      pending.name = word.plain === '[' ? '[' : scanned.value
    } else if (word.role === 'argument') pending.words.push(scanned)
    else if (word.role === 'target' && pending.redirection !== null) {
      this.#add(judgeRedirection(pending.redirection, scanned))
      pending.redirection = null
    }
  }

  redirect(operator: string, descriptor: string): void {
    this.#pending.begun = true
    if (!operator.startsWith('<<')) {
      this.#pending.redirection = { operator, descriptor, simple: this.#pending.named }
    }
  }

  separator(separator: SeparatorText, start: number, end: number, bodies: boolean): void {
    const pending = this.#pending
    if (separator === '(') {
      this.#structure.enter()
      this.#outer.push(pending)
      this.#pending = fresh(false, end - start === 2 ? end : -1)
      this.#sure(this.#outer.length <= DEEPEST)
      return
    }
    if (separator === '()') {
      this.#add(defines(pending.name === 'function' ? (pending.words[0]?.value ?? null) : pending.name))
      return
    }
    if (pending.named) this.#add(judged(pending))
    if (separator === '&') this.#add(WRITES)
    if (separator === ')') {
      this.#structure.leave()
      this.#sure(pending.from < 0 || endOfSubstitution(this.#text, pending.from) === end)
      this.#pending = this.#outer.pop() ?? fresh(false, -1)
      this.#pending.begun = true
      return
    }
    if (separator === '\n') {
      const dangling = pending.piped && !pending.begun
      this.#sure(this.#structure.newline(bodies, dangling))
      if (bodies && this.#structure.runsInBody(end)) this.#add(WRITES_AND_RENAMES)
      if (dangling) return
    } else if (separator === '|') this.#structure.pipe(!pending.named)
    else this.#structure.operator()
    this.#pending = fresh(separator === '|', pending.from)
  }

  /** The engine does not join the lines. */
  continuation(): void {
    this.#sure(false)
  }

  /** The engine sees a comment. */
  hash(): void {
    this.#sure(false)
  }

  #sure(sure: boolean): void {
    this.#isRead &&= sure
  }

  #add(effects: Effects): void {
    if (effects !== NONE) this.#effects = both(this.#effects, effects)
  }
}

function judged({ name, words }: Pending): Effects {
  return name === 'function' ? defines(words[0]?.value ?? null) : judgeCommand(name, words)
}

function fresh(piped: boolean, from: number): Pending {
  return { begun: false, named: false, name: null, words: [], redirection: null, piped, from }
}

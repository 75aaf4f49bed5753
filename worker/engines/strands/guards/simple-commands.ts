import { literalWord } from './literal-word.ts'
import type { ScriptVisitor, ScriptWord, SeparatorText } from './script-visitor.ts'

/** A command with its words: `name` and `words` without assignments and redirections. */
export interface SimpleCommand {
  /** From its `command` prefix on, if it has one. */
  readonly name: ScriptWord
  readonly words: readonly ScriptWord[]
  /** Its standard input is redirected. */
  readonly fed: boolean
  /** Something of it is redirected. */
  readonly redirected: boolean
  /** It reads the output of the command before it. */
  readonly piped: boolean
}

interface Pending {
  name: ScriptWord | null
  /** The word `command`, where it came first. */
  prefix: ScriptWord | null
  words: ScriptWord[]
  fed: boolean
  redirected: boolean
  piped: boolean
  begun: boolean
}

/** Gathers the words of each simple command whose name is literally one of `names`, quoted or not. */
export function simpleCommands(
  text: string,
  names: ReadonlySet<string>,
  heard: (command: SimpleCommand) => void,
): ScriptVisitor {
  const outer: Pending[] = []
  let pending = fresh(false)
  const finish = () => {
    const { name, words, fed, redirected, piped } = pending
    if (name !== null) heard({ name, words, fed, redirected, piped })
  }
  const begin = (word: ScriptWord) => {
    const name = literalWord(text, word)
    if (name !== null && names.has(name))
      pending.name = { ...word, start: pending.prefix?.start ?? word.start }
    else if (name === 'command') pending.prefix = word
  }
  return {
    word(word: ScriptWord): void {
      pending.begun = true
      if (word.role === 'command') begin(word)
      else if (word.role !== 'argument') return
      else if (pending.name !== null) pending.words.push(word)
      else if (pending.prefix !== null) {
        begin(word)
        pending.prefix = null
      }
    },
    redirect(operator: string, descriptor: string): void {
      pending.redirected = true
      if (operator.startsWith('<') && (descriptor === '' || descriptor === '0')) pending.fed = true
    },
    separator(separator: SeparatorText): void {
      if (separator === '(') {
        outer.push(pending)
        pending = fresh(false)
        return
      }
      if (separator !== '()') finish()
      if (separator === ')') pending = outer.pop() ?? fresh(false)
      // A pipe goes on over line breaks.
      else if (separator !== '\n' || pending.begun) pending = fresh(separator === '|')
    },
  }
}

function fresh(piped: boolean): Pending {
  return { name: null, prefix: null, words: [], fed: false, redirected: false, piped, begun: false }
}

import type { ScriptVisitor, ScriptWord, SeparatorText } from './script-visitor.ts'

/** A command with its words: `name` and `words` without assignments and redirections. */
export interface SimpleCommand {
  readonly name: ScriptWord
  readonly words: readonly ScriptWord[]
  /** Its standard input is redirected. */
  readonly fed: boolean
  /** It reads the output of the command before it. */
  readonly piped: boolean
}

interface Pending {
  name: ScriptWord | null
  words: ScriptWord[]
  fed: boolean
  piped: boolean
  begun: boolean
}

/** Gathers the words of each simple command whose name is literally one of `names`. */
export function simpleCommands(
  names: ReadonlySet<string>,
  heard: (command: SimpleCommand) => void,
): ScriptVisitor {
  const outer: Pending[] = []
  let pending = fresh(false)
  const finish = () => {
    const { name, words, fed, piped } = pending
    if (name !== null) heard({ name, words, fed, piped })
  }
  return {
    word(word: ScriptWord): void {
      pending.begun = true
      if (word.role === 'command' && word.plain !== null && names.has(word.plain)) pending.name = word
      else if (word.role === 'argument' && pending.name !== null) pending.words.push(word)
    },
    redirect(operator: string, descriptor: string): void {
      if (operator.startsWith('<') && (descriptor === '' || descriptor === '0')) pending.fed = true
    },
    separator(text: SeparatorText): void {
      if (text === '(') {
        outer.push(pending)
        pending = fresh(false)
        return
      }
      if (text !== '()') finish()
      if (text === ')') pending = outer.pop() ?? fresh(false)
      // A pipe goes on over line breaks.
      else if (text !== '\n' || pending.begun) pending = fresh(text === '|')
    },
  }
}

function fresh(piped: boolean): Pending {
  return { name: null, words: [], fed: false, piped, begun: false }
}

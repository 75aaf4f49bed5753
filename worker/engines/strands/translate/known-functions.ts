import type { NativeShell } from '../native-shell.ts'
import type { Defined, DefiningScript, Translated, UnseenText } from './translation.ts'

/** A function, and the script that defines it. */
export interface KnownFunction extends Defined {
  readonly script: DefiningScript
}

/** What no name of an alias has in it. */
const NO_WORD = /[\s;&|(){}<>"'`$\\]+/

/** Characters of texts that are kept of a session. */
const MOST_TEXT = 4 * 2 ** 20

/** What is known of the functions that a session may have, from the scripts that it has run. */
export class KnownFunctions {
  readonly #names = new Set<string>()
  readonly #aliases = new Set<string>()
  /** By their marks; undefined where two texts have the same one. */
  readonly #functions = new Map<string, KnownFunction | undefined>()
  #text = 0
  #runsText = false
  #computesNames = false
  #namesRunners = false

  /** Names of all functions that it may have, and whose definitions were seen. */
  get names(): readonly string[] {
    return [...this.#names]
  }

  /** Whether text that nobody has seen may have defined functions. */
  get isUnseen(): boolean {
    return this.#runsText || (this.#computesNames && this.#namesRunners)
  }

  /** The function whose text gives a mark this value. */
  withMark(id: string): KnownFunction | undefined {
    return this.isUnseen ? undefined : this.#functions.get(id)
  }

  see({ scripts, unseen }: Pick<Translated, 'scripts' | 'unseen'>): void {
    for (const script of scripts) {
      for (const name of script.names) this.#names.add(name)
      // The engine reads aliases when it reads a definition, and not again.
      const isAliased = this.#hasAliases(script.definitions)
      for (const each of script.defined) {
        const isOther = this.#functions.has(each.id) && this.#functions.get(each.id)?.text !== each.text
        if (isAliased || isOther || this.#hasAliases(each.text)) this.#functions.set(each.id, undefined)
        else if (!this.#functions.has(each.id)) this.#add({ ...each, script })
      }
    }
    for (const each of unseen) this.#noteUnseen(each)
    // An alias leads to another name of the function.
    this.#runsText ||= [...this.#aliases].some((name) => this.#names.has(name))
  }

  /** Whether a text has the name of an alias as a word. */
  #hasAliases(text: string): boolean {
    return this.#aliases.size > 0 && text.split(NO_WORD).some((word) => this.#aliases.has(word))
  }

  #add(found: KnownFunction): void {
    const { text, script } = found
    this.#text += text.length + script.definitions.length
    for (const content of script.files.values()) this.#text += content.length
    if (this.#text > MOST_TEXT) {
      this.#functions.clear()
      this.#runsText = true
    }
    if (!this.#runsText) this.#functions.set(found.id, found)
  }

  #noteUnseen({ runs, computes, names, aliases }: UnseenText): void {
    this.#runsText ||= runs
    this.#computesNames ||= computes
    this.#namesRunners ||= names
    for (const alias of aliases) {
      this.#runsText ||= NO_WORD.test(alias)
      this.#aliases.add(alias)
    }
  }
}

const sessions = new WeakMap<NativeShell, KnownFunctions>()

/** What is known of the functions of a session. */
export function knownFunctions(shell: NativeShell): KnownFunctions {
  const known = sessions.get(shell) ?? new KnownFunctions()
  sessions.set(shell, known)
  return known
}

import type { NativeShell } from '../native-shell.ts'
import type { Defined, DefiningScript, Translated, UnseenText } from './translation.ts'

/** A function, and the script that defines it. */
export interface KnownFunction extends Defined {
  readonly script: DefiningScript
}

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

  /** The session runs text that cannot be read. */
  unread(): void {
    this.#runsText = true
  }

  see({ scripts, unseen }: Pick<Translated, 'scripts' | 'unseen'>): void {
    for (const each of unseen) this.#noteUnseen(each)
    for (const script of scripts) {
      for (const name of script.names) this.#names.add(name)
      for (const each of script.defined) {
        const known = this.#functions.get(each.id)
        if (this.#functions.has(each.id) && known?.text !== each.text) this.#functions.set(each.id, undefined)
        else if (known === undefined) this.#add({ ...each, script })
      }
    }
    // An alias leads to another name of the function.
    this.#runsText ||= [...this.#aliases].some((name) => this.#names.has(name))
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
    for (const alias of aliases) this.#aliases.add(alias)
  }
}

const sessions = new WeakMap<NativeShell, KnownFunctions>()

/** What is known of the functions of a session. */
export function knownFunctions(shell: NativeShell): KnownFunctions {
  const known = sessions.get(shell) ?? new KnownFunctions()
  sessions.set(shell, known)
  return known
}

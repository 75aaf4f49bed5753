import { rewriteCommand } from '../guards/rewrite.ts'
import type { NativeShell } from '../native-shell.ts'
import { KNOWN_COMMANDS } from './effects/commands.ts'
import { type Effects, UNKNOWN } from './effects/effects.ts'
import { effectsOf } from './effects.ts'

const ASK = `('set' '+eux'; 'type' ${KNOWN_COMMANDS.map((name) => `'${name}'`).join(' ')}; 'alias'; 'trap')`

/**
 * Finds the effects of commands by their text. This is right while the names in it mean what they meant at open. After a
 * command that may have defined functions, aliases or traps, the session is asked whether it did. Of functions it tells
 * that there are some, not what they do: after a command that may have defined one of ours anew, nothing is certain.
 */
export class CommandNames {
  readonly #shell: NativeShell
  #meanings: string | undefined
  #mayDiffer = false
  #isHidden = false

  constructor(shell: NativeShell) {
    this.#shell = shell
  }

  /** What the next command can do. Without a text: unknown. */
  async effectsOf(command: string | undefined): Promise<Effects> {
    const effects = command === undefined ? UNKNOWN : effectsOf(rewriteCommand(command))
    this.#isHidden ||= effects.kind === 'hidden'
    if (this.#isHidden) return UNKNOWN
    if (effects.kind === 'unknown') {
      if (!this.#mayDiffer) this.#meanings ??= await this.#ask()
      this.#mayDiffer = true
    } else if (this.#mayDiffer) {
      this.#mayDiffer = (await this.#ask()) !== this.#meanings
    }
    return this.#mayDiffer ? UNKNOWN : effects
  }

  /** The session is about to get names of another one: the next command is judged by what they mean then. */
  async doubt(): Promise<void> {
    this.#meanings ??= await this.#ask()
    this.#mayDiffer = true
  }

  async #ask(): Promise<string> {
    const { status, stdout, stderr } = await this.#shell.run(ASK)
    return `${status}\n${stdout}\n${stderr}`
  }
}

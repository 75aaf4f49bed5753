import type { CommandOutput } from '../../../src/contract/shell-api.ts'
import type { NativeShell } from './native-shell.ts'

/** A shell that counts the commands that it has begun. */
export interface CountingShell extends NativeShell {
  readonly runs: number
}

/** `$?` of a session, as the last command of its caller has left it. What the runtime runs by itself changes it in the engine. */
export class LastStatus {
  /** What the next command of the caller finds. */
  value = 0
  readonly #shell: CountingShell
  /** How many commands the engine has run where it has the value; undefined where it may have another one. */
  #runs: number | undefined

  /** @param shell - one that has run no command of its caller. */
  constructor(shell: CountingShell) {
    this.#shell = shell
    this.#runs = shell.runs
  }

  /** Runs a command of the caller. @param lasts - whether it leaves its status to the next one. */
  async around(lasts: boolean, run: () => Promise<CommandOutput>): Promise<CommandOutput> {
    if (this.#shell.runs !== this.#runs) await this.#shell.run(`('exit' ${this.value})`)
    const { runs } = this.#shell
    this.#runs = runs
    const output = await run()
    if (!lasts) return output
    this.value = output.exitCode
    this.#runs = this.#shell.runs === runs + 1 ? runs + 1 : undefined
    return output
  }
}

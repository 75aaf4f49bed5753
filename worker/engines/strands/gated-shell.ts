import type { Gate } from '../../service/native-gate.ts'
import type { CountingShell } from './last-status.ts'
import { nativeError } from './native-error.ts'
import type { NativeShell } from './native-shell.ts'

/** A shell each of whose native calls is counted at a gate, and says what a panic is. */
export class GatedShell implements CountingShell {
  readonly #shell: NativeShell
  readonly #gate: Gate
  #beginning: Promise<unknown> | undefined
  #runs = 0

  constructor(shell: NativeShell, gate: Gate) {
    this.#shell = shell
    this.#gate = gate
  }

  /** Runs a command that every later call waits for. Where it fails, so do they. */
  begin(command: string): void {
    const beginning = this.run(command)
    const begun = () => {
      this.#beginning = undefined
    }
    beginning.then(begun, () => undefined)
    this.#beginning = beginning
  }

  /** Commands that were begun. */
  get runs(): number {
    return this.#runs
  }

  run(command: string) {
    this.#runs += 1
    return this.#pass(() => this.#shell.run(command))
  }
  setEnv(name: string, value: string) {
    return this.#pass(() => this.#shell.setEnv(name, value))
  }
  getEnv(name: string) {
    return this.#pass(() => this.#shell.getEnv(name))
  }
  config() {
    return this.#pass(() => this.#shell.config())
  }
  readFile(path: string) {
    return this.#pass(() => this.#shell.readFile(path))
  }
  writeFile(path: string, content: Uint8Array) {
    return this.#pass(() => this.#shell.writeFile(path, content))
  }
  removeFile(path: string) {
    return this.#pass(() => this.#shell.removeFile(path))
  }
  listFiles(path: string) {
    return this.#pass(() => this.#shell.listFiles(path))
  }

  async #pass<T>(call: () => Promise<T>): Promise<T> {
    if (this.#beginning !== undefined) await this.#beginning
    try {
      return await this.#gate.pass(call)
    } catch (error) {
      throw nativeError(error)
    }
  }
}

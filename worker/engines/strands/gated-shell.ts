import type { Gate } from '../../service/native-gate.ts'
import type { NativeShell } from './native-shell.ts'

/** A shell each of whose native calls is counted at a gate. */
export class GatedShell implements NativeShell {
  readonly #shell: NativeShell
  readonly #gate: Gate

  constructor(shell: NativeShell, gate: Gate) {
    this.#shell = shell
    this.#gate = gate
  }

  run(command: string) {
    return this.#gate.pass(() => this.#shell.run(command))
  }
  setEnv(name: string, value: string) {
    return this.#gate.pass(() => this.#shell.setEnv(name, value))
  }
  getEnv(name: string) {
    return this.#gate.pass(() => this.#shell.getEnv(name))
  }
  config() {
    return this.#gate.pass(() => this.#shell.config())
  }
  readFile(path: string) {
    return this.#gate.pass(() => this.#shell.readFile(path))
  }
  writeFile(path: string, content: Uint8Array) {
    return this.#gate.pass(() => this.#shell.writeFile(path, content))
  }
  removeFile(path: string) {
    return this.#gate.pass(() => this.#shell.removeFile(path))
  }
  listFiles(path: string) {
    return this.#gate.pass(() => this.#shell.listFiles(path))
  }
}

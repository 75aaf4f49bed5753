import * as Comlink from 'comlink'
import type {
  CodeRequest,
  CommandOutput,
  CommandRequest,
  FileEntry,
  Outcome,
  ShellApi,
  ShellDescription,
} from '../src/contract/shell-api.ts'
import type { ShellSettings } from './build-shell.ts'
import { CallQueue } from './call-queue.ts'
import { describeShell } from './describe.ts'
import { toErrorData } from './far-error.ts'
import { guardedList } from './guards/list-files.ts'
import { guardedRead } from './guards/read-file.ts'
import { guardedRemove } from './guards/remove-file.ts'
import { guardedWrite } from './guards/write-file.ts'
import type { NativeShell } from './native-shell.ts'
import { runCode } from './run-code.ts'
import { runCommand } from './run-command.ts'
import { setVariable } from './set-variable.ts'

const dropped = {
  ok: false,
  error: { code: 'IO_ERROR', message: 'The call was taken back before it began.' },
} as const

/** Serves one native shell: its calls one at a time, in the order in which they came. */
export class ShellService implements ShellApi {
  readonly #queue = new CallQueue()
  readonly #settings: ShellSettings
  #shell: NativeShell | undefined

  constructor(shell: NativeShell, settings: ShellSettings) {
    this.#shell = shell
    this.#settings = settings
  }

  run(id: number, request: CommandRequest): Promise<Outcome<CommandOutput>> {
    return this.#call(id, (shell) => runCommand(shell, request, this.#settings))
  }

  runCode(id: number, request: CodeRequest): Promise<Outcome<CommandOutput>> {
    return this.#call(id, (shell) => runCode(shell, request, this.#settings))
  }

  async readFile(id: number, path: string): Promise<Outcome<Uint8Array>> {
    const outcome = await this.#queued(id, (shell) => guardedRead(shell, path, this.#settings.maxFileSize))
    if (!outcome.ok) return outcome
    // From Node 22 on, memory that belongs to the addon cannot be transferred.
    const value = outcome.value.slice()
    return Comlink.transfer({ ok: true, value }, [value.buffer])
  }

  async writeFile(id: number, path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<ArrayBuffer>> {
    const outcome = await this.#queued(id, (shell) =>
      guardedWrite(shell, path, content, this.#settings.maxFileSize),
    )
    return outcome.ok ? Comlink.transfer({ ok: true, value: content.buffer }, [content.buffer]) : outcome
  }

  removeFile(id: number, path: string): Promise<Outcome<null>> {
    return this.#queued(id, (shell) => guardedRemove(shell, path))
  }

  listFiles(id: number, path: string): Promise<Outcome<FileEntry[]>> {
    return this.#queued(id, (shell) => guardedList(shell, path, this.#settings.bindDestinations))
  }

  getEnv(id: number, name: string): Promise<Outcome<string | null>> {
    return this.#call(id, async (shell) => (await shell.getEnv(name)) ?? null)
  }

  setEnv(id: number, name: string, value: string): Promise<Outcome<null>> {
    return this.#queued(id, (shell) => setVariable(shell, name, value))
  }

  describe(id: number): Promise<Outcome<ShellDescription>> {
    return this.#call(id, (shell) => describeShell(shell, this.#settings.maxOutput))
  }

  cancel(id: number): boolean {
    return this.#queue.cancel(id)
  }

  close(): boolean {
    this.#queue.clear()
    this.#shell = undefined
    return !this.#queue.busy
  }

  #call<T>(id: number, operation: (shell: NativeShell) => Promise<T>): Promise<Outcome<T>> {
    return this.#queued(id, async (shell) => ({ ok: true, value: await operation(shell) }))
  }

  #queued<T>(id: number, operation: (shell: NativeShell) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    return this.#queue.add<Outcome<T>>(id, () => this.#attempt(operation), dropped)
  }

  async #attempt<T>(operation: (shell: NativeShell) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    try {
      return this.#shell === undefined ? dropped : await operation(this.#shell)
    } catch (error) {
      return { ok: false, error: toErrorData(error) }
    }
  }
}

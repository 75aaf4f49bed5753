import { randomBytes } from 'node:crypto'
import { interruptible } from '../../async/interruptible.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** Most seconds that writing a file may take: the command has ended, and its caller waits. */
const WRITE_TIMEOUT = 10

/** Files that are kept; the oldest goes when there are more. */
const MOST_FILES = 20

/** Where a text went, or why it could not. */
export type Spilled =
  | { readonly isWritten: true; readonly path: string }
  | { readonly isWritten: false; readonly reason: string }

/** Puts what is too long for a model into files of the sandbox. */
export class Spill {
  readonly #sandbox: Pick<Sandbox, 'writeText' | 'removeFile'>
  readonly #directory: string
  readonly #paths: string[] = []

  constructor(sandbox: Pick<Sandbox, 'writeText' | 'removeFile'>, directory: string) {
    this.#sandbox = sandbox
    this.#directory = directory.replace(/\/+$/, '')
  }

  /** Writes a text to a new file; `label` is part of its name. */
  async write(label: string, text: string, signal?: AbortSignal): Promise<Spilled> {
    const path = `${this.#directory}/output-${randomBytes(4).toString('hex')}-${label}.txt`
    try {
      await interruptible(this.#sandbox.writeText(path, text), {
        seconds: WRITE_TIMEOUT,
        signal,
        onTimeout: () => new Error(`it took more than ${WRITE_TIMEOUT} seconds`),
        onAbort: () => new Error('the call was aborted'),
      })
    } catch (error) {
      return { isWritten: false, reason: errorMessage(error) }
    }
    this.#paths.push(path)
    this.#removeOldest()
    return { isWritten: true, path }
  }

  #removeOldest(): void {
    const oldest = this.#paths.length > MOST_FILES ? this.#paths.shift() : undefined
    if (oldest === undefined) return
    // Somebody else may have removed it, or the session it was in is gone.
    this.#sandbox.removeFile(oldest).catch(() => undefined)
  }
}

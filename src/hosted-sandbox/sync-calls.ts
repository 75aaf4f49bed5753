import type { FileStat } from '../contract/shell-api.ts'
import { requireCommand, requireContent, requirePath, resolveExecuteOptions } from '../sandbox/arguments.ts'
import { SandboxPathNotFoundError } from '../sandbox/errors.ts'
import { type RemoveOptions, requirePlaces, requireRemoval } from '../sandbox/file-arguments.ts'
import type { ExecuteOptions, ExecutionResult, FileInfo } from '../sandbox/results.ts'
import type { CallLimits } from '../session/call-limits.ts'
import * as operations from '../session/operations.ts'
import { givenBy } from '../session/scope.ts'
import type { Scratch } from '../session/scratch.ts'
import { toFileInfo, toResult } from '../session/to-result.ts'

type Block = <T>(operation: operations.BlockingOperation<T>, limits?: CallLimits) => T

/**
 * Calls of a sandbox that return their result instead of a promise: for REPLs, template engines and synchronous
 * interfaces. The thread blocks meanwhile, with all its timers, requests and other sandboxes: a service awaits the
 * asynchronous methods. Calls run in order with those. They do not wait for the commands of other sandboxes.
 *
 * Each needs an open sandbox of isolation 'worker' or 'shared', and throws `UnsupportedError` for others. Otherwise
 * they throw what the asynchronous methods reject with. `importDirectory` and `exportDirectory` have no form that blocks.
 */
export class SyncCalls {
  readonly #block: Block
  readonly #scratch: Scratch

  /** @internal */
  constructor(block: Block, scratch: Scratch) {
    this.#block = block
    this.#scratch = scratch
  }

  /** As the sandbox's `execute`. An `options.signal` counts where it is aborted already: none fires while the thread blocks. */
  execute(command: string, options?: ExecuteOptions): ExecutionResult {
    const text = requireCommand(command)
    const resolved = resolveExecuteOptions(options)
    return toResult(this.#block(operations.run({ command: text, ...givenBy(resolved) }), resolved))
  }

  /** As the sandbox's `readFile`. */
  readFile(path: string): Uint8Array {
    return this.#block(operations.readFile(requirePath(path)))
  }

  /** As the sandbox's `writeFile`. */
  writeFile(path: string, content: Uint8Array): void {
    const operation = operations.writeFile(requirePath(path), requireContent(content), this.#scratch)
    this.#scratch.keep(this.#block(operation), operation.copy)
  }

  /** As the sandbox's `appendFile`. */
  appendFile(path: string, content: Uint8Array): void {
    const operation = operations.appendFile(requirePath(path), requireContent(content), this.#scratch)
    this.#scratch.keep(this.#block(operation), operation.copy)
  }

  /** As the sandbox's `removeFile`. */
  removeFile(path: string, options?: RemoveOptions): void {
    const { path: named, recursive } = requireRemoval(path, options)
    this.#block(operations.removeFile(named, recursive))
  }

  /** As the sandbox's `makeDirectory`. */
  makeDirectory(path: string): void {
    this.#block(operations.makeDirectory(requirePath(path)))
  }

  /** As the sandbox's `move`. */
  move(from: string, to: string): void {
    const places = requirePlaces('move', from, to)
    this.#block(operations.place('move', places.from, places.to))
  }

  /** As the sandbox's `copy`. */
  copy(from: string, to: string): void {
    const places = requirePlaces('copy', from, to)
    this.#block(operations.place('copy', places.from, places.to))
  }

  /** As the sandbox's `stat`. */
  stat(path: string): FileStat {
    return this.#block(operations.stat(requirePath(path)))
  }

  /** As the sandbox's `exists`. */
  exists(path: string): boolean {
    try {
      this.stat(path)
      return true
    } catch (error) {
      if (error instanceof SandboxPathNotFoundError) return false
      throw error
    }
  }

  /** As the sandbox's `listFiles`. */
  listFiles(path: string): FileInfo[] {
    return this.#block(operations.listFiles(requirePath(path))).map(toFileInfo)
  }
}

import ignore from 'ignore'
import { watchSignal } from '../../async/watch-signal.ts'
import type { FileStat } from '../../contract/shell-api.ts'
import { abortError } from '../abort-error.ts'
import { SandboxLimitError } from '../errors.ts'
import type { ExecuteOptions, ExecutionResult, FileInfo } from '../results.ts'
import type { SkippedEntry, SkipReason, TransferReport, TransferRequest } from './request.ts'

/** How many directories deep a transfer goes: each is open on the host while what is in it is copied. */
export const MAX_DEPTH = 100

/** What a transfer needs of a sandbox. */
export interface TransferSandbox {
  execute(command: string, options?: ExecuteOptions): Promise<ExecutionResult>
  listFiles(path: string): Promise<FileInfo[]>
  stat(path: string): Promise<FileStat>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, content: Uint8Array): Promise<void>
  makeDirectory(path: string): Promise<void>
}

/** The account of one transfer: what was copied and skipped, what may follow, and whether anybody still waits for it. */
export class Transfer {
  readonly #request: TransferRequest
  readonly #isExcluded: (rel: string) => boolean
  readonly #skipped: SkippedEntry[] = []
  #files = 0
  #directories = 0
  #bytes = 0

  constructor(request: TransferRequest) {
    this.#request = request
    const rules = ignore({ ignorecase: false }).add([...request.exclude])
    this.#isExcluded = request.exclude.length === 0 ? () => false : (rel) => rules.ignores(rel)
  }

  get report(): TransferReport {
    const { files, directories, bytes } = this.#copied
    return { files, directories, bytes, skipped: this.#skipped }
  }

  /** Bytes that may still be copied. */
  get bytesLeft(): number {
    return this.#request.maxBytes - this.#bytes
  }

  /** How many entries may still come. */
  get entriesLeft(): number {
    return this.#request.maxFiles - this.#files - this.#directories - this.#skipped.length
  }

  isExcluded(rel: string, isDirectory: boolean): boolean {
    return this.#isExcluded(isDirectory ? `${rel}/` : rel)
  }

  /** @throws SandboxLimitError where no entry may come any more */
  checkEntry(rel: string): void {
    if (this.entriesLeft > 0) return
    throw this.#limit('maxFiles', this.#request.maxFiles, `there are more entries, '${rel}' among them`)
  }

  /** @throws SandboxLimitError where a file of so many bytes is too much */
  checkBytes(rel: string, bytes: number): void {
    if (bytes <= this.bytesLeft) return
    throw this.#limit('maxBytes', this.#request.maxBytes, `'${rel}' is more than what is left of them`)
  }

  skip(rel: string, reason: SkipReason): void {
    this.checkEntry(rel)
    this.#skipped.push({ path: rel, reason })
  }

  copiedFile(rel: string, bytes: number): void {
    this.#files += 1
    this.#bytes += bytes
    this.#request.onProgress({ ...this.#copied, path: rel })
  }

  copiedDirectory(rel: string): void {
    this.#directories += 1
    this.#request.onProgress({ ...this.#copied, path: rel })
  }

  /** @throws SandboxAbortError where the signal is aborted */
  checkSignal(): void {
    if (this.#request.signal?.aborted) throw abortError(this.#request.signal)
  }

  /** Waits for a call on the sandbox, but no longer than anybody waits for the transfer. */
  async call<T>(call: () => Promise<T>): Promise<T> {
    this.checkSignal()
    const { signal } = this.#request
    if (signal === undefined) return call()
    let unwatch: () => void = () => undefined
    try {
      const aborted = new Promise<never>((_, reject) => {
        unwatch = watchSignal(signal, () => reject(abortError(signal)))
      })
      return await Promise.race([call(), aborted])
    } finally {
      unwatch()
    }
  }

  get #copied(): Omit<TransferReport, 'skipped'> {
    return { files: this.#files, directories: this.#directories, bytes: this.#bytes }
  }

  #limit(limit: 'maxFiles' | 'maxBytes', value: number, problem: string): SandboxLimitError {
    const advice = 'Raise it, or leave parts out with `exclude`. What was copied before stays.'
    return new SandboxLimitError(
      `The directory must have at most ${value} (${limit}), but ${problem}. ${advice}`,
      {
        limit,
        value,
      },
    )
  }
}

/** The path of an entry of a directory in a sandbox. */
export function childPath(directory: string, name: string): string {
  return directory.endsWith('/') ? `${directory}${name}` : `${directory}/${name}`
}

/** The path of an entry relative to the directory of the transfer; `''` is that directory. */
export function childRel(rel: string, name: string): string {
  return rel === '' ? name : `${rel}/${name}`
}

/** Whether a sandbox refuses a single file for its size. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof SandboxLimitError && error.limit === 'limits.maxFileSize'
}

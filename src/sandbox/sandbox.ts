import type { FileStat } from '../contract/shell-api.ts'
import { requireContent, requirePath } from './arguments.ts'
import { ProtocolError } from './errors.ts'
import { type RemoveOptions, requirePlaces } from './file-arguments.ts'
import { executeEach, requireCommands, resolveManyOptions } from './many-commands.ts'
import type {
  ExecuteManyOptions,
  ExecuteOptions,
  ExecutionEvent,
  ExecutionResult,
  FileInfo,
} from './results.ts'
import * as shellFiles from './shell-files/shell-files.ts'
import { kindOf } from './show-value.ts'
import { createDecoder, encodeText } from './text-encoding.ts'
import { exportDirectory } from './transfer/export-directory.ts'
import { importDirectory } from './transfer/import-directory.ts'
import { resolveTransfer, type TransferOptions, type TransferReport } from './transfer/request.ts'

/**
 * An environment that runs commands and code and holds files. Everything that uses one sandbox shares
 * its files and its working directory. Mirrors the Strands SDK's `Sandbox`, and is structurally
 * assignable to it.
 *
 * The streaming methods are the primitives; `execute` and `executeCode` consume them.
 */
export abstract class Sandbox {
  /**
   * Runs a shell command and yields its output as it arrives, then one {@link ExecutionResult}. A
   * command that fails yields a result like any other.
   */
  abstract executeStreaming(
    command: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined>

  /**
   * Runs source code with an interpreter and yields its output as it arrives, then one
   * {@link ExecutionResult}.
   *
   * @param language - The interpreter's name, such as `python3`; never a path.
   */
  abstract executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined>

  /**
   * Reads a file.
   *
   * @throws SandboxPathNotFoundError if it does not exist.
   */
  abstract readFile(path: string): Promise<Uint8Array>

  /** Writes a file, replacing what it held, and makes the directories that lead to it. */
  abstract writeFile(path: string, content: Uint8Array): Promise<void>

  /**
   * Removes a file or a link; with `recursive` a directory too, with all that is in it. Links are not followed.
   *
   * @throws SandboxPathNotFoundError if it does not exist.
   * @throws SandboxIoError for a directory, without `recursive`.
   */
  abstract removeFile(path: string, options?: RemoveOptions): Promise<void>

  /**
   * Lists a directory.
   *
   * @throws SandboxPathNotFoundError if it does not exist or is not a directory.
   */
  abstract listFiles(path: string): Promise<FileInfo[]>

  /**
   * Runs a shell command and returns its result, whatever its exit code.
   *
   * @throws ProtocolError if the sandbox yields no result.
   */
  async execute(command: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    return takeResult(this.executeStreaming(command, options), 'executeStreaming')
  }

  /**
   * Runs source code with an interpreter and returns its result, whatever its exit code.
   *
   * @throws ProtocolError if the sandbox yields no result.
   */
  async executeCode(code: string, language: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    return takeResult(this.executeCodeStreaming(code, language, options), 'executeCodeStreaming')
  }

  /**
   * Runs commands one after another, and gives the result of each that ran, in order. Other calls on the sandbox may
   * run between two of them.
   *
   * @throws SandboxConfigError naming the command or option that is not valid; nothing has run then.
   * @throws what `execute` throws, for the first of them that throws; those before it have run.
   */
  async executeMany(commands: readonly string[], options?: ExecuteManyOptions): Promise<ExecutionResult[]> {
    return executeEach(requireCommands(commands), resolveManyOptions(options), (command, each) =>
      this.execute(command, each),
    )
  }

  /**
   * Reads a file as text. A byte order mark is dropped, and bytes that are no text become U+FFFD.
   *
   * @param encoding - Any label `TextDecoder` knows. Default: `utf-8`.
   * @throws SandboxConfigError with the field `encoding` for any other.
   * @throws SandboxPathNotFoundError if the file does not exist.
   */
  async readText(path: string, encoding = 'utf-8'): Promise<string> {
    const decoder = createDecoder(encoding)
    return decoder.decode(await this.readFile(path))
  }

  /**
   * Writes a text file, replacing what it held.
   *
   * @param encoding - UTF-8, UTF-16 or an encoding of one byte a character, such as `latin1` or
   *   `ascii`. Default: `utf-8`.
   * @throws SandboxConfigError with the field `encoding` for any other, or `content` when the text holds
   *   a character that the encoding does not have.
   */
  async writeText(path: string, content: string, encoding = 'utf-8'): Promise<void> {
    await this.writeFile(path, encodeText(content, encoding))
  }

  /**
   * Whether there is anything at a path. A link is there, wherever it leads.
   *
   * @throws SandboxPermissionError if that cannot be seen.
   */
  async exists(path: string): Promise<boolean> {
    return shellFiles.exists(this, requirePath(path))
  }

  /**
   * What is at a path: kind, size, permission bits and time of the last write. A link is told as itself.
   *
   * @throws SandboxPathNotFoundError if there is nothing.
   */
  async stat(path: string): Promise<FileStat> {
    return shellFiles.stat(this, requirePath(path))
  }

  /**
   * Makes a directory, and the directories that lead to it. One that is there is fine.
   *
   * @throws SandboxPathNotFoundError if a part of the path is no directory.
   * @throws SandboxIoError if there is something else at the path.
   */
  async makeDirectory(path: string): Promise<void> {
    await shellFiles.makeDirectory(this, requirePath(path))
  }

  /**
   * Gives a file, a link or a directory another path, and makes the directories that lead there. A file replaces a file.
   *
   * @param to - The new path itself, not a directory to move into.
   * @throws SandboxPathNotFoundError if there is nothing at `from`.
   * @throws SandboxIoError if there is a directory at `to`, if a directory is to replace something, or if `to` is inside
   *   `from`.
   */
  async move(from: string, to: string): Promise<void> {
    const places = requirePlaces('move', from, to)
    await shellFiles.placeAt(this, 'move', places.from, places.to)
  }

  /**
   * Copies a file, a link or a directory with all that is in it, and makes the directories that lead to `to`. Permissions are
   * copied, times are not. Links are copied as links. A file replaces a file.
   *
   * @param to - The path of the copy itself, not a directory to copy into.
   * @throws as `move` does.
   */
  async copy(from: string, to: string): Promise<void> {
    const places = requirePlaces('copy', from, to)
    await shellFiles.placeAt(this, 'copy', places.from, places.to)
  }

  /**
   * Appends to a file. A missing file is made, with the directories that lead to it. Appends that are made at the same time
   * lose nothing.
   *
   * @throws SandboxIoError if there is no regular file at the path.
   */
  async appendFile(path: string, content: Uint8Array): Promise<void> {
    // A copy: the caller may change its buffer meanwhile.
    const bytes = new Uint8Array(requireContent(content))
    await shellFiles.appendFile(this, requirePath(path), bytes)
  }

  /**
   * Copies what is in a directory of the host into one of the sandbox, file by file. The directory is made; files that are
   * there are replaced, others stay. Files that can be executed stay so; other permissions, owners and times are not
   * copied. Links of the host are not followed: they are skipped, and so is what is no regular file. Other calls on the
   * sandbox may run between two files.
   *
   * @param hostPath - A directory of the host: absolute, or relative to the directory of this process.
   * @param path - A directory in the sandbox.
   * @returns What was copied, and what was skipped and why.
   * @throws SandboxPathNotFoundError if `hostPath` is no directory.
   * @throws SandboxLimitError if there is more than `maxFiles` or `maxBytes`; what was copied before stays.
   * @throws SandboxAbortError if the `signal` is aborted; what was copied before stays.
   */
  async importDirectory(hostPath: string, path: string, options?: TransferOptions): Promise<TransferReport> {
    const request = resolveTransfer(hostPath, path, options)
    return importDirectory(this, request)
  }

  /**
   * Copies what is in a directory of the sandbox into one of the host, file by file. The host's directory is made; each of its
   * files that is replaced is whole, old or new, and others stay. Nothing is written outside of it, whatever names and links the
   * sandbox and the directory have. Links of the sandbox are skipped. Otherwise as {@link Sandbox.importDirectory}.
   *
   * @param path - A directory in the sandbox.
   * @param hostPath - A directory of the host: absolute, or relative to the directory of this process.
   * @returns What was copied, and what was skipped and why.
   * @throws SandboxPathNotFoundError if `path` is no directory; nothing is made on the host then.
   */
  async exportDirectory(path: string, hostPath: string, options?: TransferOptions): Promise<TransferReport> {
    const request = resolveTransfer(hostPath, path, options)
    return exportDirectory(this, request)
  }

  /**
   * Tools this sandbox registers with an agent by itself. None: an agent gets a sandbox's tools from
   * an integration. Mirrors the Strands SDK's `Sandbox.getTools`, which its agents call.
   */
  getTools(): never[] {
    return []
  }
}

async function takeResult(events: AsyncIterable<ExecutionEvent>, method: string): Promise<ExecutionResult> {
  const iterator = events[Symbol.asyncIterator]()
  let result: ExecutionResult | undefined
  try {
    result = await nextResult(iterator, method)
  } catch (error) {
    // The first cause wins over a failure to clean up after it.
    await Promise.allSettled([close(iterator)])
    throw error
  }
  await close(iterator)
  if (result === undefined) {
    throw new ProtocolError(
      `${method}() ended without an execution result: a sandbox's last event must be { type: 'executionResult', … }.`,
    )
  }
  return result
}

async function nextResult(
  iterator: AsyncIterator<ExecutionEvent>,
  method: string,
): Promise<ExecutionResult | undefined> {
  for (;;) {
    const step = await iterator.next()
    if (step.done === true) return undefined
    if (typeof step.value !== 'object' || step.value === null) {
      throw new ProtocolError(`${method}() yielded ${kindOf(step.value)} instead of a chunk or a result.`)
    }
    if (step.value.type === 'executionResult') return step.value
  }
}

async function close(iterator: AsyncIterator<ExecutionEvent>): Promise<void> {
  await iterator.return?.()
}

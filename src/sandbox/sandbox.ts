import { ProtocolError } from './errors.ts'
import { executeEach, requireCommands, resolveManyOptions } from './many-commands.ts'
import type {
  ExecuteManyOptions,
  ExecuteOptions,
  ExecutionEvent,
  ExecutionResult,
  FileInfo,
} from './results.ts'
import { kindOf } from './show-value.ts'
import { createDecoder, encodeText } from './text-encoding.ts'

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
   * Removes a file.
   *
   * @throws SandboxPathNotFoundError if it does not exist.
   */
  abstract removeFile(path: string): Promise<void>

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

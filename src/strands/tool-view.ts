import type { ExecuteOptions, ExecutionResult, FileInfo } from '../sandbox/results.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { explainFailure, shapeResult } from '../tools/command-output.ts'
import { type ToolCall, toolCall } from '../tools/define-tool.ts'
import { failureOf } from '../tools/error-text.ts'
import { readTextFile } from '../tools/text-files.ts'
import type { ToolKit } from '../tools/tool-kit.ts'
import { DelegatingSandbox } from './delegating-sandbox.ts'
import { toSdkError } from './sdk-errors.ts'

/** One call of a tool. */
export interface ViewedCall {
  readonly signal: AbortSignal
  /** Seconds; undefined for the sandbox's own limit. */
  readonly timeout: number | undefined
}

/**
 * A sandbox as the SDK's tools see it during one call: what they get is shaped for the model, what fails says what to do,
 * and the agent's cancellation reaches the sandbox.
 */
export class ToolView extends DelegatingSandbox {
  readonly #kit: ToolKit
  readonly #timeout: number | undefined
  readonly #call: ToolCall

  constructor(kit: ToolKit, { signal, timeout }: ViewedCall) {
    super(kit.sandbox)
    this.#kit = kit
    this.#timeout = timeout
    this.#call = toolCall(signal)
  }

  /** The SDK's shell does not tell the exit code: standard error ends with it where it is not 0. */
  override async execute(command: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    const { signal } = this.#call
    const limits = { ...options, timeout: this.#timeout, signal }
    try {
      const result = await this.#call.step(() => this.inner.execute(command, limits))
      const { stdout, stderr, notes } = await shapeResult(result, this.#kit, signal)
      return { ...result, stdout, stderr: [stderr.trimEnd(), notes].filter(Boolean).join('\n') }
    } catch (error) {
      const { message } = await explainFailure(error, this.#kit, signal)
      throw withMessage(error, message)
    }
  }

  override listFiles(path: string): Promise<FileInfo[]> {
    return this.#step((sandbox) => sandbox.listFiles(path))
  }

  /** Refuses what is no text: the SDK's editor would write it back changed. */
  override readText(path: string): Promise<string> {
    return this.#step((sandbox) => readTextFile(sandbox, path, this.#call))
  }

  override writeText(path: string, content: string): Promise<void> {
    return this.#step((sandbox) => sandbox.writeText(path, content))
  }

  async #step<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    try {
      return await this.#call.step(() => work(this.inner))
    } catch (error) {
      throw withMessage(error, failureOf(error, this.#kit.summary).message)
    }
  }
}

/** The SDK's class where it has one; else an error with the message, so that the model reads it. */
function withMessage(error: unknown, message: string): unknown {
  const known = toSdkError(error, message)
  return known === error ? new Error(message, { cause: error }) : known
}

import type { ExecuteOptions, ExecutionEvent, ExecutionResult, FileInfo } from '../sandbox/results.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { sdk } from './sdk.ts'
import { toSdkError, withSdkErrors } from './sdk-errors.ts'

/** A sandbox of this package as a `Sandbox` of the Strands SDK, with the SDK's own errors. */
export class DelegatingSandbox<Inner extends Sandbox = Sandbox> extends sdk.Sandbox {
  /** The sandbox itself, with all that the SDK's interface does not have. */
  readonly inner: Inner

  constructor(inner: Inner) {
    super()
    this.inner = inner
  }

  override async *executeStreaming(
    command: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    yield* withErrors(this.inner.executeStreaming(command, options))
  }

  override async *executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    yield* withErrors(this.inner.executeCodeStreaming(code, language, options))
  }

  override execute(command: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    return withSdkErrors(() => this.inner.execute(command, options))
  }

  override executeCode(code: string, language: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    return withSdkErrors(() => this.inner.executeCode(code, language, options))
  }

  override readFile(path: string): Promise<Uint8Array> {
    return withSdkErrors(() => this.inner.readFile(path))
  }

  override writeFile(path: string, content: Uint8Array): Promise<void> {
    return withSdkErrors(() => this.inner.writeFile(path, content))
  }

  override removeFile(path: string): Promise<void> {
    return withSdkErrors(() => this.inner.removeFile(path))
  }

  override listFiles(path: string): Promise<FileInfo[]> {
    return withSdkErrors(() => this.inner.listFiles(path))
  }
}

async function* withErrors(
  events: AsyncGenerator<ExecutionEvent, void, undefined>,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  try {
    yield* events
  } catch (error) {
    throw toSdkError(error)
  }
}

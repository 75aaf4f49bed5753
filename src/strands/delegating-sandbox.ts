import type { FileStat } from '../contract/shell-api.ts'
import type { RemoveOptions } from '../sandbox/file-arguments.ts'
import type { ExecuteOptions, ExecutionEvent, ExecutionResult, FileInfo } from '../sandbox/results.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { TransferOptions, TransferReport } from '../sandbox/transfer/request.ts'
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

  override removeFile(path: string, options?: RemoveOptions): Promise<void> {
    return withSdkErrors(() => this.inner.removeFile(path, options))
  }

  override listFiles(path: string): Promise<FileInfo[]> {
    return withSdkErrors(() => this.inner.listFiles(path))
  }

  /** As the `exists` of {@link Sandbox}. */
  exists(path: string): Promise<boolean> {
    return withSdkErrors(() => this.inner.exists(path))
  }

  /** As the `stat` of {@link Sandbox}. */
  stat(path: string): Promise<FileStat> {
    return withSdkErrors(() => this.inner.stat(path))
  }

  /** As the `makeDirectory` of {@link Sandbox}. */
  makeDirectory(path: string): Promise<void> {
    return withSdkErrors(() => this.inner.makeDirectory(path))
  }

  /** As the `move` of {@link Sandbox}. */
  move(from: string, to: string): Promise<void> {
    return withSdkErrors(() => this.inner.move(from, to))
  }

  /** As the `copy` of {@link Sandbox}. */
  copy(from: string, to: string): Promise<void> {
    return withSdkErrors(() => this.inner.copy(from, to))
  }

  /** As the `appendFile` of {@link Sandbox}. */
  appendFile(path: string, content: Uint8Array): Promise<void> {
    return withSdkErrors(() => this.inner.appendFile(path, content))
  }

  /** As the `importDirectory` of {@link Sandbox}. */
  importDirectory(hostPath: string, path: string, options?: TransferOptions): Promise<TransferReport> {
    return withSdkErrors(() => this.inner.importDirectory(hostPath, path, options))
  }

  /** As the `exportDirectory` of {@link Sandbox}. */
  exportDirectory(path: string, hostPath: string, options?: TransferOptions): Promise<TransferReport> {
    return withSdkErrors(() => this.inner.exportDirectory(path, hostPath, options))
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

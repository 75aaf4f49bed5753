import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type ExecuteOptions,
  type ExecutionEvent,
  type ExecutionResult,
  type FileInfo,
  Sandbox,
  type StrandsShellConfig,
  StrandsShellSandbox,
} from '../../../src/index.ts'
import { temporaryDirectory } from '../helpers.ts'

/** A Strands Shell in a worker of its own that the test's end closes. */
export function strandsSandbox(config: StrandsShellConfig = {}): StrandsShellSandbox {
  const sandbox = new StrandsShellSandbox({ isolation: 'worker', ...config })
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** A sandbox of the contract and no more: `sh`, in a temporary directory. */
export function shellSandbox(): Sandbox {
  return new ShellOfHost(temporaryDirectory())
}

class ShellOfHost extends Sandbox {
  readonly #directory: string

  constructor(directory: string) {
    super()
    this.#directory = directory
  }

  async *executeStreaming(
    command: string,
    { cwd = this.#directory, env }: ExecuteOptions = {},
  ): AsyncGenerator<ExecutionEvent, void> {
    yield await new Promise<ExecutionResult>((resolve) => {
      const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e8 }
      const child = execFile('sh', ['-c', command], options, (_, stdout, stderr) => {
        resolve({
          ...{ type: 'executionResult', exitCode: child.exitCode ?? 255, stdout, stderr, outputFiles: [] },
          ...{ timedOut: false, truncated: false, durationMs: 0 },
        })
      })
    })
  }

  executeCodeStreaming(): AsyncGenerator<ExecutionEvent, void> {
    throw new Error('no code here')
  }

  async readFile(): Promise<Uint8Array> {
    throw new Error('no reading here')
  }

  async writeFile(path: string, content: Uint8Array): Promise<void> {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }

  async removeFile(path: string): Promise<void> {
    await rm(path)
  }

  async listFiles(): Promise<FileInfo[]> {
    throw new Error('no lists here')
  }
}

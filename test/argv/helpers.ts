import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ArgvSandbox, ExecOptions, ExecResult } from '../../src/argv/index.ts'
import { LocalSandbox } from '../../src/argv/index.ts'
import type { LocalSandboxOptions } from '../../src/argv/local/options.ts'

/** A directory of the host, by its real path, that goes when the test ends. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'argv-test-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A local sandbox that the test's end closes. */
export function localSandbox(options?: LocalSandboxOptions): LocalSandbox {
  const sandbox = new LocalSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** A sandbox without a host that runs nothing, and notes what it is asked. */
export class RemoteSandbox implements ArgvSandbox {
  readonly workdir = '/workspace'
  readonly hostWorkdir = undefined
  readonly execs: (readonly string[])[] = []
  readonly options: (ExecOptions | undefined)[] = []
  closes = 0
  result: ExecResult = { output: 'ok', exitCode: 0 }

  async exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
    this.execs.push(argv)
    this.options.push(options)
    return this.result
  }

  async putFile(): Promise<void> {
    throw new Error('no files here')
  }

  async removeFile(): Promise<void> {
    throw new Error('no files here')
  }

  async close(): Promise<void> {
    this.closes++
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** A value as a caller without types passes it. */
export function untyped(value: unknown) {
  return Object({ value }).value
}

/** True while a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false // It has ended.
  }
}

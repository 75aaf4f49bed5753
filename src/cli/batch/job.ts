import type { EngineName } from '../../contract/lease.ts'
import { SandboxPathNotFoundError } from '../../sandbox/errors.ts'
import type { ExecutionResult } from '../../sandbox/results.ts'
import { runOnce } from '../../shell-host/one-shot.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { usageError } from '../failure.ts'
import { secondsSince } from '../records.ts'
import type { JobLine, JobRequest } from './read-job.ts'

/** The content of a file in a line of JSON. */
export type Content = string | { readonly base64: string }

/** A job, and what its run leaves beside its result. */
export class Job {
  readonly line: JobLine
  /** How long its run took; undefined where it did not run. */
  seconds: number | undefined
  /** What was asked to be collected, and was there, by path. */
  files: Readonly<Record<string, Content>> | undefined

  constructor(line: JobLine) {
    this.line = line
  }

  /** Runs it in a fresh sandbox. @throws what the line, the host or the sandbox has against it. */
  async run(host: ShellHost<EngineName>, signal: AbortSignal): Promise<ExecutionResult> {
    const { fault, request } = this.line
    if (fault !== undefined) throw usageError(fault)
    const start = performance.now()
    try {
      return await this.#runIn(host, request, signal)
    } finally {
      this.seconds = secondsSince(start)
    }
  }

  async #runIn(
    host: ShellHost<EngineName>,
    { command, collect, config, stdin }: JobRequest,
    signal: AbortSignal,
  ): Promise<ExecutionResult> {
    const sandbox = await host.open<EngineName>(config, { signal })
    try {
      const result = await runOnce(sandbox, command, { signal, stdin })
      const entries: [path: string, content: Content][] = []
      for (const path of collect) {
        const bytes = await sandbox.readFile(path).catch(ignoreMissing)
        if (bytes !== undefined) entries.push([path, contentOf(bytes)])
      }
      if (collect.length > 0) this.files = Object.fromEntries(entries)
      return result
    } finally {
      await sandbox.close()
    }
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof SandboxPathNotFoundError)) throw error
}

function contentOf(bytes: Uint8Array): Content {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = buffer.toString('utf8')
  return Buffer.from(text).equals(buffer) ? text : { base64: buffer.toString('base64') }
}

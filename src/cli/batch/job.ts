import type { ExecutionResult } from '../../sandbox/results.ts'
import { usageError } from '../failure.ts'
import { secondsSince } from '../records.ts'
import type { Files } from './job-run.ts'
import type { JobLine } from './read-job.ts'

/** A job, and what its run leaves beside its result. */
export class Job {
  readonly line: JobLine
  /** How long its run took; undefined where it did not run. */
  seconds: number | undefined
  /** What was asked to be collected, and was there, by path. */
  files: Files | undefined

  constructor(line: JobLine) {
    this.line = line
  }

  /** Runs it in a fresh sandbox. @throws what the line, the host or the sandbox has against it. */
  async run(signal: AbortSignal): Promise<ExecutionResult> {
    const { fault = 'it is no job.', start } = this.line
    if (start === undefined) throw usageError(fault)
    const begin = performance.now()
    try {
      const { result, files } = await start(signal)
      this.files = files
      return result
    } finally {
      this.seconds = secondsSince(begin)
    }
  }
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { errorMessage } from '../../sandbox/kinds.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, usageError } from '../failure.ts'
import { isBlank, linesOf } from '../lines.ts'
import { type JobLine, type PrepareJob, readJob } from './read-job.ts'

/** Where the jobs of a batch are read from. */
export interface JobSource {
  /** The lines that are not blank, as they come. @throws CliError where they cannot be read. */
  jobs(): AsyncGenerator<JobLine, void>
  /** How many there are; undefined where that takes reading them. */
  count(): Promise<number | undefined>
}

/**
 * The lines of a file, or of standard input where the path is `-`; `prepare` reads what each asks for.
 *
 * @throws CliError where there is no such file
 */
export async function openJobs(path: string, prepare: PrepareJob): Promise<JobSource> {
  if (path === '-') return { jobs: () => read(process.stdin, path, prepare), count: async () => undefined }
  const facts = await stat(path).catch((cause: unknown) => {
    throw usageError(`the jobs cannot be read: ${errorMessage(cause)}.`, { cause })
  })
  if (facts.isDirectory())
    throw usageError(`the jobs cannot be read: ${JSON.stringify(path)} is a directory.`)
  return {
    jobs: () => read(createReadStream(path), path, prepare),
    count: async () => (facts.isFile() ? countLines(path) : undefined),
  }
}

async function* read(
  stream: NodeJS.ReadableStream,
  path: string,
  prepare: PrepareJob,
): AsyncGenerator<JobLine, void> {
  let line = 0
  const lines = linesOf(stream)
  for (;;) {
    const step = await lines.next().catch((cause: unknown) => {
      const name = path === '-' ? 'standard input' : JSON.stringify(path)
      throw new CliError(`the jobs could not be read from ${name}: ${errorMessage(cause)}.`, EXIT.runtime, {
        cause,
      })
    })
    if (step.done === true) return
    line += 1
    if (!isBlank(step.value)) yield readJob(line, step.value, prepare)
  }
}

async function countLines(path: string): Promise<number> {
  let count = 0
  for await (const line of linesOf(createReadStream(path))) if (!isBlank(line)) count += 1
  return count
}

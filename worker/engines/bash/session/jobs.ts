import type { ExecResult } from '../just-bash.ts'
import { encode } from '../text/bytes.ts'

/** A command with `&`. */
export interface Job {
  readonly pid: number
  readonly number: number
  readonly text: string
  /** As of its fork. */
  readonly slow: boolean | 'sleep'
  /** Undefined while it has not run. */
  status: number | undefined
  /** Whether it was asked for as long as it had not run. */
  asked: boolean
  run(): Promise<ExecResult>
}

/** Status of a process that SIGTERM has ended. */
export const signalled = (signal: number): number => 128 + signal

/**
 * The commands with `&` of one shell. Each runs when the script waits, sleeps or ends, in their order: a script goes on
 * before what it has started, and may end it before that.
 */
export class Jobs {
  readonly #all: Job[] = []
  #last: number | undefined
  #number = 0

  /** `$!` */
  get last(): number | undefined {
    return this.#last
  }

  get all(): readonly Job[] {
    return this.#all
  }

  get pending(): readonly Job[] {
    return this.#all.filter(({ status }) => status === undefined)
  }

  add(pid: number, text: string, slow: Job['slow'], run: () => Promise<ExecResult>): Job {
    if (this.#all.every(({ status }) => status !== undefined)) this.#number = 0
    this.#number += 1
    const job: Job = { pid, number: this.#number, text, slow, status: undefined, asked: false, run }
    this.#all.push(job)
    this.#last = pid
    return job
  }

  /** The job that `%1`, `%+`, `%name` or a pid names. */
  find(name: string): Job | undefined {
    if (!name.startsWith('%')) return this.#all.findLast(({ pid }) => String(pid) === name)
    const rest = name.slice(1)
    if (rest === '' || rest === '+' || rest === '%') return this.#all.at(-1)
    if (rest === '-') return this.#all.at(-2)
    return this.#all.findLast(({ number, text }) =>
      /^\d+$/.test(rest) ? String(number) === rest : text.startsWith(rest),
    )
  }

  /** Runs jobs that have not run. Their outputs come one after another. */
  async runPending(jobs: readonly Job[] = this.pending): Promise<{ stdout: string; stderr: string }> {
    let [stdout, stderr] = ['', '']
    for (const job of jobs) {
      if (job.status !== undefined) continue
      job.status = 0
      const result = await job.run()
      job.status = result.exitCode
      stdout += result.stdoutKind === 'bytes' ? result.stdout : encode(result.stdout)
      stderr += result.stderr
    }
    return { stdout, stderr }
  }
}

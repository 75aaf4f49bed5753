import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Samples } from './scenario.ts'

/** The outcome of a round. */
export type RoundReply =
  | { readonly samples: Samples }
  | { readonly cannot: string }
  | { readonly failed: string }
  | { readonly died: string }

/** A child process: its bundled file and what it is started with. */
export interface ChildCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Where its standard error goes. */
  readonly stderr: 'ignore' | 'inherit'
}

/** Seconds that a round may take before its process is killed. */
const roundTimeout = 180
/** Seconds that the process may take to clean up before it is killed. */
const endTimeout = 15

/** A child process that runs rounds on request (`serveRounds` in it). */
export class Stage {
  readonly #process: ChildProcess
  readonly #exit: Promise<string>

  constructor({ file, args, env, stderr }: ChildCommand) {
    this.#process = fork(file, args, {
      execArgv: [],
      env: { ...process.env, ...env },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', stderr, 'ipc'],
    })
    this.#exit = once(this.#process, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`)
  }

  /** Runs the next round. */
  async round(): Promise<RoundReply> {
    const settled = new AbortController()
    const { signal } = settled
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), roundTimeout * 1000)
    const died = this.#exit.then((reason): RoundReply => ({ died: reason }))
    const replied = once(this.#process, 'message', { signal }).then(([reply]: RoundReply[]) => reply)
    this.#send('round')
    try {
      return (await Promise.race([replied, died])) ?? { failed: 'no reply' }
    } finally {
      clearTimeout(timer)
      // A process that died never replies, so this rejects with the abort below.
      replied.catch(() => undefined)
      settled.abort()
    }
  }

  /** Asks the process to clean up and exit, and waits for it. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), endTimeout * 1000)
    this.#send('end')
    await this.#exit
    clearTimeout(timer)
  }

  /** Send errors are ignored: a process that has gone is reported by its exit. */
  #send(message: string): void {
    if (this.#process.connected) this.#process.send(message, () => undefined)
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ContenderName } from './contenders/contender.ts'
import { ADDON_VARIABLE } from './contenders/raw.ts'
import type { Samples } from './scenario.ts'

/** What a round came to. */
export type RoundReply =
  | { readonly samples: Samples }
  | { readonly cannot: string }
  | { readonly failed: string }
  | { readonly died: string }

/** What every process of a contender starts with. */
export interface StageSetup {
  /** The directory of the bundled children. */
  readonly children: string
  /** The file of the engine's addon. */
  readonly addon: string
  readonly effort: number
}

/** Seconds that a round may take before its process is ended. */
const hangGuard = 180
/** Seconds that it may take to clean up. */
const patience = 15

/** A process that runs the rounds of one contender at one scenario. */
export class Stage {
  readonly #process: ChildProcess
  readonly #exit: Promise<string>

  constructor(contender: ContenderName, scenario: string, { children, addon, effort }: StageSetup) {
    this.#process = fork(`${children}/stage-child.js`, [contender, scenario, String(effort)], {
      execArgv: [],
      env: { ...process.env, ...environmentOf(contender, addon) },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    this.#process.stderr?.resume()
    this.#exit = once(this.#process, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`)
  }

  /** Runs the next round. */
  async round(): Promise<RoundReply> {
    const settled = new AbortController()
    const { signal } = settled
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), hangGuard * 1000)
    const died = this.#exit.then((reason): RoundReply => ({ died: reason }))
    const replied = once(this.#process, 'message', { signal }).then(([reply]: RoundReply[]) => reply)
    this.#send('round')
    try {
      return (await Promise.race([replied, died])) ?? { failed: 'no reply' }
    } finally {
      clearTimeout(timer)
      // Where the process died nobody waits for this any more.
      replied.catch(() => undefined)
      settled.abort()
    }
  }

  /** Ends the process, which cleans up first. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), patience * 1000)
    this.#send('end')
    await this.#exit
    clearTimeout(timer)
  }

  /** Where the process is gone its exit says so, and not the message. */
  #send(message: string): void {
    if (this.#process.connected) this.#process.send(message, () => undefined)
  }
}

/** The raw engine gets the stacks that ours gives it, so that it lives through the same commands. */
function environmentOf(contender: ContenderName, addon: string): Record<string, string> {
  return contender === 'raw' ? { [ADDON_VARIABLE]: addon, RUST_MIN_STACK: String(2 ** 30) } : {}
}

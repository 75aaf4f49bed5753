import { Watchdog } from '../async/watchdog.ts'
import type { CheckpointPolicy } from '../config/continuation.ts'

/** Takes checkpoints of a session when its config says so, one at a time. */
export class CheckpointSchedule {
  readonly #policy: Exclude<CheckpointPolicy, 'never'>
  readonly #take: () => Promise<void>
  readonly #every = new Watchdog(() => this.#due())
  readonly #idle = new Watchdog(() => this.#due())
  /** Whether a call has settled since the last checkpoint. */
  #isBehind = false
  #isDue = false
  #taking: Promise<void> | undefined

  /** @param take - must not reject. */
  constructor(policy: Exclude<CheckpointPolicy, 'never'>, take: () => Promise<void>) {
    this.#policy = policy
    this.#take = take
  }

  /** A call is pending. */
  used(): void {
    this.#idle.rest()
  }

  /** A call has settled. @param rests - whether no other call is pending. */
  settled(rests: boolean): void {
    if (this.#policy === 'call') {
      this.#due()
      return
    }
    const { every, idle } = this.#policy
    if (every !== undefined && !this.#isBehind) this.#every.expect(every)
    if (idle !== undefined && rests) this.#idle.expect(idle)
    this.#isBehind = true
  }

  /** What has settled is in a checkpoint, or is gone. */
  rest(): void {
    this.#isBehind = false
    this.#every.rest()
    this.#idle.rest()
  }

  stop(): void {
    this.rest()
    this.#every.stop()
    this.#idle.stop()
  }

  /** Resolves when no checkpoint is being taken. */
  async taken(): Promise<void> {
    await this.#taking
  }

  #due(): void {
    this.#isDue = true
    this.#taking ??= this.#run()
  }

  async #run(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      this.rest()
      await this.#take()
    }
    this.#taking = undefined
  }
}

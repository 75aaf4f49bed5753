import type { CommandLimiter, TurnTaker } from '../host/command-limiter.ts'

/** Commands that a sandbox with a turn may have sent: enough for its worker never to wait for the next one. */
const window = 4

interface Outgoing {
  readonly command: boolean
  readonly send: () => void
}

/**
 * The calls of one session on their way to its worker, in order. A command leaves while its sandbox has a turn; what
 * was called after it waits behind it. While other sandboxes wait for a turn, it is good for one command.
 */
export class Outbox implements TurnTaker {
  readonly #turns: CommandLimiter
  readonly #calls = new Map<number, Outgoing>()
  #turn: 'none' | 'waiting' | 'taken' = 'none'
  /** Commands that were sent and have not been answered. */
  #out = 0

  constructor(turns: CommandLimiter) {
    this.#turns = turns
  }

  /** Sends a call as soon as it may leave: before this returns, if it may now. */
  add(id: number, call: Outgoing): void {
    this.#calls.set(id, call)
    this.#flush()
  }

  /** Sends all that waits, and this call, whoever has a turn: its caller's thread stands still. */
  addBlocking(id: number, call: Outgoing): void {
    this.#calls.set(id, call)
    this.#flush(() => true)
  }

  /** True while a call has not been sent. */
  has(id: number): boolean {
    return this.#calls.has(id)
  }

  /** Takes a call back that has not been sent. */
  remove(id: number): void {
    this.#calls.delete(id)
    this.#flush()
  }

  /** A command that was sent has been answered. */
  answered(): void {
    this.#out -= 1
    if (this.#out === 0) this.#giveBack()
    this.#flush()
  }

  onTurn(): void {
    this.#turn = 'taken'
    this.#flush()
    if (this.#turn === 'taken' && this.#out === 0) this.#giveBack()
  }

  /** The session is over: nothing is sent any more. */
  close(): void {
    this.#calls.clear()
    this.#out = 0
    this.#giveBack()
  }

  #flush(maySend = () => this.#maySend()): void {
    for (const [id, { command, send }] of this.#calls) {
      if (command && !maySend()) return
      this.#calls.delete(id)
      if (command) this.#out += 1
      send()
    }
    if (this.#turn === 'waiting') this.#giveBack()
  }

  #maySend(): boolean {
    if (this.#turn === 'waiting') return false
    if (this.#turn === 'taken') return this.#out === 0 || (this.#out < window && this.#turns.waiting === 0)
    this.#turn = this.#turns.take(this) ? 'taken' : 'waiting'
    return this.#turn === 'taken'
  }

  #giveBack(): void {
    const had = this.#turn
    this.#turn = 'none'
    if (had === 'taken') this.#turns.giveBack()
    if (had === 'waiting') this.#turns.leave(this)
  }
}

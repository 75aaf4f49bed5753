import type { CommandTurns, CommandWaiter } from '../host/command-limiter.ts'

/** Commands that a sandbox may have sent at once: enough for its worker never to wait for the next one. */
const window = 4

interface Outgoing {
  readonly command: boolean
  readonly send: () => void
}

/**
 * The calls of one session on their way to its worker, in order. A command is sent when the limiter lets its sandbox run
 * commands; later calls wait behind it. While other sandboxes wait, the sandbox sends one command and then lets others run.
 */
export class Outbox implements CommandWaiter {
  readonly #limiter: CommandTurns
  readonly #calls = new Map<number, Outgoing>()
  #state: 'none' | 'waiting' | 'running' = 'none'
  /** Commands that were sent and have not been answered. */
  #out = 0

  constructor(limiter: CommandTurns) {
    this.#limiter = limiter
  }

  /** Sends a call as soon as it may be sent: before this returns, if it may now. */
  add(id: number, call: Outgoing): void {
    // Nearly every call finds nothing waiting.
    if (this.#calls.size === 0 && (!call.command || this.#maySend())) {
      this.#send(call)
      return
    }
    this.#calls.set(id, call)
    this.#flush()
  }

  /** Sends every waiting call and this one, whatever the limiter says: its caller's thread blocks. */
  addBlocking(id: number, call: Outgoing): void {
    this.#calls.set(id, call)
    this.#flush(true)
  }

  /** True while a call has not been sent. */
  has(id: number): boolean {
    return this.#calls.has(id)
  }

  /** Removes a call that has not been sent. */
  remove(id: number): void {
    this.#calls.delete(id)
    this.#flush()
  }

  /** A command that was sent has been answered. */
  answered(): void {
    this.#out -= 1
    if (this.#out === 0) this.#release()
    this.#flush()
  }

  onAcquired(): void {
    this.#state = 'running'
    this.#flush()
    if (this.#state === 'running' && this.#out === 0) this.#release()
  }

  /** The session is over: nothing is sent any more. */
  close(): void {
    this.#calls.clear()
    this.#out = 0
    this.#release()
  }

  #flush(isBlocking = false): void {
    for (const [id, call] of this.#calls) {
      if (call.command && !isBlocking && !this.#maySend()) return
      this.#calls.delete(id)
      this.#send(call)
    }
    if (this.#state === 'waiting') this.#release()
  }

  #send({ command, send }: Outgoing): void {
    if (command) this.#out += 1
    send()
  }

  #maySend(): boolean {
    if (this.#state === 'waiting') return false
    if (this.#state === 'running') return this.#out === 0 || (this.#out < window && !this.#limiter.isAwaited)
    this.#state = this.#limiter.acquire(this) ? 'running' : 'waiting'
    return this.#state === 'running'
  }

  #release(): void {
    const had = this.#state
    this.#state = 'none'
    if (had === 'running') this.#limiter.release()
    if (had === 'waiting') this.#limiter.leave(this)
  }
}

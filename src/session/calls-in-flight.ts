import type { InCaller } from '../async/caller-context.ts'
import { Watchdog } from '../async/watchdog.ts'
import type { LossData } from '../contract/errors.ts'
import type { SandboxError } from '../sandbox/errors.ts'

/** How long calls may take. Seconds. */
export interface CallAllowances {
  /** The engine's own deadline for a command. */
  readonly commandTimeout: number
  /** What a call may take on top of that, for mirroring; the worker then watches the engine's deadline itself. */
  readonly allowance: number
}

/** A call that has not settled in the worker. */
export interface CallInFlight {
  readonly kind: 'command' | 'other'
  /** Rejects the call for its caller. False: its caller no longer waits. */
  readonly fail: (error: SandboxError) => boolean
  /** The async context of its caller; undefined where nobody wants it. */
  readonly inCaller?: InCaller | undefined
}

/** What is told of calls in flight. */
export interface CallListeners {
  /** The first call has taken longer than it may. */
  readonly onOverdue: () => void
  /** The engine is to stop a call. It hears of one at a time. */
  readonly onStop: (id: number) => void
}

interface Tracked extends CallInFlight {
  sent: boolean
  stopping: boolean
  hurried: boolean
}

/** Seconds the engine may overrun its deadline before the session counts as lost. */
const grace = 2

/** Milliseconds to read a reply that came while this thread stood still: a session is not lost for one that is large. */
const toRead = 4000

/** Least seconds that a call other than a command may take: the engine has no bound for it, and large files are slow. */
const otherAllowance = 60

/** The calls of one session that have not settled, in order. They run one at a time; the time of the first is watched. */
export class CallsInFlight {
  readonly #calls = new Map<number, Tracked>()
  readonly #allowances: CallAllowances
  readonly #watchdog: Watchdog
  readonly #onStop: CallListeners['onStop']
  #lastId = 0
  #headId = 1

  constructor(allowances: CallAllowances, { onOverdue, onStop }: CallListeners) {
    this.#allowances = allowances
    this.#onStop = onStop
    this.#watchdog = new Watchdog(onOverdue, { toRead })
  }

  get size(): number {
    return this.#calls.size
  }

  /** The call that the worker runs, or will next: the first, once it was sent. */
  get running(): number | undefined {
    return this.#calls.get(this.#headId)?.sent === true ? this.#headId : undefined
  }

  /** The async context of the caller of the first, for what its worker tells in order with its answers. */
  get inFirstCaller(): InCaller | undefined {
    return this.#calls.get(this.#headId)?.inCaller
  }

  /** The same of the command that runs; undefined where it may be one of several, whose answers are on the way. */
  get inCaller(): InCaller | undefined {
    const [command, ...others] = [...this.#calls.values()].filter(
      ({ kind, sent }) => kind === 'command' && sent,
    )
    return others.length > 0 ? undefined : command?.inCaller
  }

  /** The most seconds that one of them may take. */
  get longest(): number {
    return Math.max(...[...this.#calls.values()].map(({ kind }) => this.#allowed(kind)))
  }

  /** How the session is lost where the first call is overdue. */
  get overdue(): LossData {
    const { commandTimeout, allowance } = this.#allowances
    const { kind, hurried } = this.#calls.get(this.#headId) ?? { kind: 'other', hurried: false }
    if (hurried) {
      const message = `A command that was to stop went on for more than ${grace} s.`
      return { code: 'DEADLINE_IGNORED', message }
    }
    const what = kind === 'command' ? 'A command and the mirroring around it' : 'A call that is no command'
    const message =
      kind === 'command' && allowance === 0
        ? `The engine ignored its deadline of ${commandTimeout} s by more than ${grace} s.`
        : `${what} did not end within ${this.#allowed(kind)} s.`
    return { code: 'DEADLINE_IGNORED', message }
  }

  /** Adds a call behind the others. @returns its id */
  add({ kind, fail, inCaller }: CallInFlight): number {
    const id = ++this.#lastId
    this.#calls.set(id, { kind, fail, inCaller, sent: false, stopping: false, hurried: false })
    if (this.#calls.size === 1) this.#headId = id
    return id
  }

  has(id: number): boolean {
    return this.#calls.has(id)
  }

  isFirst(id: number): boolean {
    return id === this.#headId
  }

  /** The call was sent: its time runs as soon as it is the first. */
  sent(id: number): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    call.sent = true
    if (id === this.#headId) this.#watch(call)
  }

  /** The engine is to stop a call that was sent: at once, or when those before it that are to stop have settled. */
  stop(id: number): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    call.stopping = true
    const [first] = [...this.#calls].find(([, { stopping }]) => stopping) ?? []
    if (first === id) this.#onStop(id)
  }

  /** A command is to stop: it may go on for the grace alone. */
  hurry(id: number): void {
    const call = this.#calls.get(id)
    if (call?.kind !== 'command') return
    call.hurried = true
    if (call.sent && id === this.#headId) this.#watch(call)
  }

  /** The call has settled, or was never sent. Undefined: it was removed before. */
  remove(id: number): CallInFlight | undefined {
    const call = this.#calls.get(id)
    if (call === undefined) return undefined
    this.#calls.delete(id)
    if (id === this.#headId) this.#next()
    return call
  }

  /** Fails every call: the session is over. */
  end(makeError: () => SandboxError): void {
    this.#watchdog.stop()
    for (const { fail } of this.#calls.values()) fail(makeError())
    this.#calls.clear()
  }

  /** The first call was removed: the time of the next one is watched, once it is sent. */
  #next(): void {
    while (this.#headId <= this.#lastId && !this.#calls.has(this.#headId)) this.#headId += 1
    const call = this.#calls.get(this.#headId)
    if (call?.stopping) this.#onStop(this.#headId)
    if (call?.sent) this.#watch(call)
    else this.#watchdog.rest()
  }

  #watch({ kind, hurried }: { readonly kind: CallInFlight['kind']; readonly hurried: boolean }): void {
    this.#watchdog.expect(hurried ? grace : this.#allowed(kind))
  }

  #allowed(kind: CallInFlight['kind']): number {
    const { commandTimeout, allowance } = this.#allowances
    const seconds = commandTimeout + allowance
    return (kind === 'command' ? seconds : Math.max(seconds, otherAllowance)) + grace
  }
}

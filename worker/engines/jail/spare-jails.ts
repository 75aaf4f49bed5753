import type { ThreadGate } from '../../service/native-gate.ts'
import { Jail, type JailContext, type JailShape, type JailSource } from './jail.ts'

/** Milliseconds without an opening after which a spare jail begins: starting a process holds its thread up. */
const QUIET = 100

/** Milliseconds after which a spare jail ends that nobody has taken. */
const MOST_AGE = 60_000

/** What a spare jail begins with. */
interface Kind {
  readonly shape: JailShape
  readonly source: JailSource
}

/** A jail that begins, or has begun, and is nobody's yet. */
class SpareJail {
  readonly key: string
  readonly #jail: Promise<Jail | undefined>
  readonly #cancel = new AbortController()
  readonly #ageing: NodeJS.Timeout

  constructor(key: string, { shape, source }: Kind, threadGate: ThreadGate) {
    this.key = key
    const { signal } = this.#cancel
    // Whoever opens the next jail learns why there is none.
    this.#jail = Jail.open(shape, source, { way: undefined, threadGate, signal }).catch(() => undefined)
    this.#ageing = setTimeout(() => this.end(), MOST_AGE).unref()
  }

  /** The jail; undefined where there is none. It is the caller's. */
  async take(): Promise<Jail | undefined> {
    clearTimeout(this.#ageing)
    const jail = await this.#jail
    if (jail?.process.hasEnded !== true) return jail
    jail.close()
    return undefined
  }

  end(): void {
    clearTimeout(this.#ageing)
    this.#cancel.abort()
    void this.#jail.then((jail) => jail?.close())
  }
}

/**
 * The jail that a thread has begun before somebody opens it, without binds and network. Two openings in a row of the same kind
 * are taken for a sign that there will be a third.
 */
export class SpareJails {
  #spare: SpareJail | undefined
  /** The kind that was opened last. */
  #last: string | undefined
  #quiet: NodeJS.Timeout | undefined
  #retired = false
  #watched = false

  /** Opens a jail, the spare one where it is of that kind. @throws FarError where it does not begin */
  async open(shape: JailShape, source: JailSource, context: JailContext): Promise<Jail> {
    const hasOwn = shape.binds.length > 0 || context.way !== undefined
    const key = hasOwn ? undefined : JSON.stringify([shape, source])
    clearTimeout(this.#quiet)
    const spare = await this.#take(key)
    // Setting the clock makes `set` show it: a shell that is not older needs it not.
    await spare?.session.startClock()
    const jail = spare ?? (await Jail.open(shape, source, context))
    if (key === undefined) return jail
    if (key === this.#last) this.#beginSoon(key, { shape, source }, context.threadGate)
    this.#last = key
    return jail
  }

  #take(key: string | undefined): Promise<Jail | undefined> | undefined {
    const spare = this.#spare
    if (spare === undefined || spare.key !== key) return undefined
    this.#spare = undefined
    return spare.take()
  }

  #beginSoon(key: string, kind: Kind, threadGate: ThreadGate): void {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => this.#begin(key, kind, threadGate), QUIET).unref()
  }

  #begin(key: string, kind: Kind, threadGate: ThreadGate): void {
    if (this.#retired || this.#spare?.key === key) return
    this.#spare?.end()
    this.#spare = new SpareJail(key, kind, threadGate)
    if (this.#watched) return
    this.#watched = true
    threadGate.onRetire(() => {
      this.#retired = true
      this.#spare?.end()
    })
  }
}

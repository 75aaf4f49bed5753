import { performance } from './clock.ts'

/** Milliseconds from a collection that found something to the next one. */
const pauseAfterFinds = 100
/** Milliseconds from the first that found nothing to the next one, doubled with each further one, and at most. */
const firstPause = 1000
const longestPause = 60_000

/** A collection takes no more than this part of the time: it makes everything in the thread wait. */
const mostTime = 1 / 20

/** What {@link GarbageCollection} has of its surroundings. */
export interface GarbageSource {
  /** Milliseconds. */
  readonly now: () => number
  /** Undefined where there is no collector at this moment. */
  readonly findCollector: () => (() => void) | undefined
}

/** Garbage collections on demand: a small part of the time, and ever fewer while they find nothing of what is looked for. */
export class GarbageCollection {
  readonly #source: GarbageSource
  #collect: (() => void) | undefined
  #pause = 0
  #ended = Number.NEGATIVE_INFINITY
  #took = 0

  constructor(source: GarbageSource = { now: performance.now, findCollector }) {
    this.#source = source
  }

  /** Milliseconds until one may run; 0: now. */
  get wait(): number {
    const next = this.#ended + Math.max(this.#pause, this.#took / mostTime)
    return Math.max(0, next - this.#source.now())
  }

  /** Collects, if one may run now. @returns whether it did */
  run(): boolean {
    if (this.wait > 0) return false
    const start = this.#source.now()
    this.#collect ??= this.#source.findCollector()
    this.#collect?.()
    this.#pause = Math.min(longestPause, Math.max(firstPause, 2 * this.#pause))
    this.#ended = this.#source.now()
    this.#took = this.#ended - start
    return this.#collect !== undefined
  }

  /** Says that something was found of what is looked for: the next collection may come soon. */
  found(): void {
    this.#pause = pauseAfterFinds
  }
}

/** The collections of this process. */
export const processGarbage = new GarbageCollection()

/**
 * Node offers no collection on demand without a flag, so the flag is set for as long as it takes to get hold of it.
 * Flags are the process's: another thread may unset it in between, and there is no collector this time.
 */
function findCollector(): (() => void) | undefined {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  setFlagsFromString('--expose-gc')
  const gc: (() => void) | undefined = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return gc
}

import type { Isolation } from '../contract/isolation.ts'

/**
 * About what a worker weighs. V8 counts an array buffer's size although its pages are never touched, so that
 * dropped sandboxes are collected before their workers pile up.
 */
const size = 8 * 1024 * 1024

/** Where sandboxes share a worker, so many of them hold one weight together. */
const sharers = 4

/** Shares of closed sandboxes: using them again saves the collection that a new weight brings on. */
class Weights {
  readonly #spare: ArrayBuffer[] = []
  readonly #mostSpare: number
  readonly #sharers: number
  #last: { readonly weight: ArrayBuffer; left: number } | undefined

  constructor(sharers: number, mostSpare: number) {
    this.#sharers = sharers
    this.#mostSpare = mostSpare
  }

  take(): ArrayBuffer {
    const spare = this.#spare.pop()
    if (spare !== undefined) return spare
    this.#last ??= { weight: new ArrayBuffer(size), left: this.#sharers }
    const { weight } = this.#last
    if (--this.#last.left === 0) this.#last = undefined
    return weight
  }

  giveBack(weight: ArrayBuffer): void {
    if (this.#spare.length < this.#mostSpare) this.#spare.push(weight)
  }
}

const ofWorkers = new Weights(1, 8)
const ofShells = new Weights(sharers, 8 * sharers)

/** What one sandbox weighs for as long as it may have a session. */
export class Weight {
  #held: { readonly of: Weights; readonly buffer: ArrayBuffer } | undefined

  /** Takes the weight of a session of this level, if none is held. */
  take(isolation: Isolation): void {
    if (this.#held !== undefined) return
    const of = isolation === 'shared' ? ofShells : ofWorkers
    this.#held = { of, buffer: of.take() }
  }

  /** Gives it back: the sandbox is closed. */
  giveBack(): void {
    this.#held?.of.giveBack(this.#held.buffer)
    this.#held = undefined
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** A decision that is being made, and the one that has led to it. */
interface Decision {
  /** Undefined once it is made. */
  of: Deciding | undefined
  readonly within: Decision | undefined
}

const current = new AsyncLocalStorage<Decision>()

/** The decisions on the calls of one sandbox: tells what runs in one of them, whatever it awaits. */
export class Deciding {
  /** True in a decision that is being made, and in those that it has led to. */
  get isDeciding(): boolean {
    for (let decision = current.getStore(); decision !== undefined; decision = decision.within) {
      if (decision.of === this) return true
    }
    return false
  }

  /** Makes a decision. */
  async run<T>(decide: () => Promise<T>): Promise<T> {
    const decision: Decision = { of: this, within: current.getStore() }
    try {
      return await current.run(decision, decide)
    } finally {
      decision.of = undefined
    }
  }
}

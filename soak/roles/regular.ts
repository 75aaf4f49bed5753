import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import { hostOptions } from '../level.ts'
import { TrackedSandbox } from '../tracked-sandbox.ts'
import { demandSame } from '../violation.ts'
import { use } from './passer-by.ts'

/** The state of an actor without faults, on a host of its own. Its cell lives as long as the run. */
class Regular {
  readonly #name: string
  readonly context: SoakContext
  #host: ReturnType<SoakContext['openHost']> | undefined
  #marks = 0

  constructor(name: string, context: SoakContext) {
    this.#name = name
    this.context = context
  }

  mark(): string {
    return `${this.#name}#${++this.#marks}`
  }

  /** Opens a sandbox, uses it and closes it. */
  async visit(): Promise<void> {
    this.#host ??= this.context.openHost({ ...hostOptions.process, maxCells: 1, idleWorkerTimeout: 3600 })
    const tracked = await TrackedSandbox.open(this.context, this.#host, {})
    try {
      await use(tracked, this)
    } finally {
      await tracked.close()
    }
    this.context.lastingCell ??= tracked.cell
    demandSame(tracked.cell, this.context.lastingCell, 'the process of the cell without faults')
  }

  async end(): Promise<void> {
    if (this.#host !== undefined) await this.context.closeHost(this.#host, 0)
  }
}

const visit: Plan<Regular> = (random) => {
  const times = 2 + random.below(6)
  return {
    text: `${times} visits`,
    perform: async (regular) => {
      for (let made = 0; made < times; made++) await regular.visit()
    },
  }
}

const plans: WeightedPlans<Regular> = [[1, visit]]

/** Opens, uses and closes sandboxes in a cell that gets no faults. */
export function regular(name: string, context: SoakContext): Role {
  const stage = new Regular(name, context)
  return roleOf(plans, stage, () => stage.end())
}

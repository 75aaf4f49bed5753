import { setTimeout as sleep } from 'node:timers/promises'
import {
  type HostedSandbox,
  HostSaturatedError,
  SandboxClosedError,
  SessionLoss,
  WorkerLostError,
} from '../../src/index.ts'
import { ActionEnded, type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import { hostOptions, type Level } from '../level.ts'
import type { SoakHost } from '../shells/shell.ts'
import { demand, demandSame } from '../violation.ts'

/** Seconds after which its host closes an unused sandbox, and any sandbox. */
const [idleTimeout, maxLifetime] = [0.4, 3]

/** The state of an actor with a host of its own that closes idle sandboxes. */
class Sleeper {
  readonly name: string
  readonly context: SoakContext
  readonly level: Level
  #host: SoakHost | undefined
  #marks = 0
  #last: { readonly generation: number; readonly mark: string } | undefined
  /** What visits wrote, of which the last ones may have been lost. */
  readonly #written = new Set([''])

  constructor(name: string, context: SoakContext, level: Level) {
    this.name = name
    this.context = context
    this.level = level
  }

  get host(): SoakHost {
    const { isolation } = this.level
    // No warm places in workers of this process: a worker must not be terminated while it builds one.
    const warm = isolation === 'process' ? 1 : 0
    this.#host ??= this.context.openHost({
      ...hostOptions[isolation],
      maxCells: 1,
      warm,
      idleTimeout,
      maxLifetime,
    })
    return this.#host
  }

  /** Checks what the last visit of this session wrote, and writes for the next visit. */
  async visit(sandbox: HostedSandbox): Promise<void> {
    const { generation } = sandbox
    const mark = `${this.name}#${++this.#marks}`
    this.#written.add(mark)
    const { stdout } = await sandbox.execute(`touch mark; cat mark; printf %s '${mark}' > mark`)
    const last = this.#last
    demand(last === undefined || generation >= last.generation, () => `generation fell to ${generation}`)
    const kept = last?.generation === generation ? last.mark : ''
    // A lost session may have gone on. One that its host closed has not.
    const mayBeOlder =
      this.context.shell.goesOn && last?.generation !== generation && this.#written.has(stdout)
    if (!mayBeOlder) demandSame(stdout, kept, 'what a named sandbox kept')
    this.#last = { generation, mark }
    this.#written.clear()
    this.#written.add('').add(mark)
  }

  /** The error to throw for a rejected visit: `ActionEnded` for a loss, else the error itself. */
  judge(error: unknown, generation: number): unknown {
    if (!(error instanceof WorkerLostError && error.cause instanceof SessionLoss)) return error
    this.context.losses.told(this.name, generation, error.cause.code, 0)
    return new ActionEnded(`lost: ${error.cause.code}`)
  }

  async end(): Promise<void> {
    if (this.#host !== undefined) await this.context.closeHost(this.#host, 0)
  }
}

/** Asks for the same sandbox twice at once, after a pause in which it may have been closed. */
const comeBack: Plan<Sleeper> = (random) => {
  const pause = random.between(0, 2 * idleTimeout).toFixed(3)
  return {
    text: `come back after ${pause} s`,
    perform: async (sleeper) => {
      const { context, host, name } = sleeper
      await sleep(Number(pause) * 1000)
      try {
        const [one, other] = await context.calls.track('get or open', () =>
          Promise.all([host.getOrOpen(name), host.getOrOpen(name)]),
        )
        demand(one === other, () => 'two callers at once were given two sandboxes of one id')
        await context.calls
          .track('visit', () => sleeper.visit(one))
          .catch((error: unknown) => {
            throw sleeper.judge(error, one.generation)
          })
      } catch (error) {
        if (error instanceof SandboxClosedError) throw new ActionEnded('closed meanwhile')
        throw error
      }
    },
  }
}

/** Opens more sandboxes than a small host allows: two open, one waits for a place, the others are rejected. */
const crowd: Plan<Sleeper> = (random) => {
  const size = 4 + random.below(4)
  return {
    text: `${size} in a host of two`,
    perform: async ({ context, level }) => {
      const options = { maxCells: 1, maxSandboxes: 2, maxQueued: 1 }
      const host = context.openHost({ ...hostOptions[level.isolation], ...options })
      const signal = AbortSignal.timeout(30_000)
      const openings = Array.from({ length: size }, () => {
        return context.calls.track('open in a crowd', () => host.open({}, { signal }))
      })
      const ends = Promise.allSettled(openings)
      const opened = await Promise.all(openings.slice(0, 2))
      await opened[0]?.close()
      const third = await openings[2]
      demandSame(
        (await third?.execute('echo in'))?.stdout,
        'in\n',
        'the output in a sandbox that was waited for',
      )
      const refused = (await ends).filter((end) => {
        return end.status === 'rejected' && end.reason instanceof HostSaturatedError
      })
      demandSame(refused.length, size - 3, 'the number of openings that were refused')
      await context.closeHost(host, 0)
    },
  }
}

const plans: WeightedPlans<Sleeper> = [
  [12, comeBack],
  [1, crowd],
]

/** Leaves closing its sandboxes to the host. */
export function sleeper(name: string, context: SoakContext, level: Level): Role {
  const stage = new Sleeper(name, context, level)
  return roleOf(plans, stage, () => stage.end())
}

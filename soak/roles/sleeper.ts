import { setTimeout as sleep } from 'node:timers/promises'
import {
  HostSaturatedError,
  SandboxClosedError,
  SessionLoss,
  type ShellHost,
  type StrandsShellSandbox,
  WorkerLostError,
} from '../../src/index.ts'
import { ActOver, type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import { type House, hostOptions } from '../house.ts'
import { demand, demandSame } from '../violation.ts'
import type { World } from '../world.ts'

/** Seconds after which its host closes a sandbox that nobody uses, and one that is old. */
const [idleTimeout, maxLifetime] = [0.4, 3]

/** An actor with a host of its own, which closes what nobody uses. */
class Sleeper {
  readonly name: string
  readonly world: World
  readonly house: House
  #host: ShellHost | undefined
  #marks = 0
  #last: { readonly generation: number; readonly mark: string } | undefined

  constructor(name: string, world: World, house: House) {
    this.name = name
    this.world = world
    this.house = house
  }

  get host(): ShellHost {
    const { level } = this.house
    // In workers of this process a place that is kept warm is built at times that nobody knows, and must not be ended then.
    const warm = level === 'process' ? 1 : 0
    this.#host ??= this.world.openHost({ ...hostOptions[level], maxCells: 1, warm, idleTimeout, maxLifetime })
    return this.#host
  }

  /** Reads what the last visit has written, if it was in this session, and writes for the next. */
  async visit(sandbox: StrandsShellSandbox): Promise<void> {
    const { generation } = sandbox
    const mark = `${this.name}#${++this.#marks}`
    const { stdout } = await sandbox.execute(`touch mark; cat mark; printf %s '${mark}' > mark`)
    const last = this.#last
    demand(last === undefined || generation >= last.generation, () => `generation fell to ${generation}`)
    demandSame(stdout, last?.generation === generation ? last.mark : '', 'what a named sandbox kept')
    this.#last = { generation, mark }
  }

  /** What a rejected visit means: a loss ends the act. */
  judge(error: unknown, generation: number): unknown {
    if (!(error instanceof WorkerLostError && error.cause instanceof SessionLoss)) return error
    this.world.losses.told(this.name, generation, error.cause.code, 0)
    return new ActOver(`lost: ${error.cause.code}`)
  }

  async end(): Promise<void> {
    if (this.#host !== undefined) await this.world.closeHost(this.#host, 0)
  }
}

/** Asks for one sandbox twice at once, after a pause in which it may have been closed. */
const comeBack: Plan<Sleeper> = (random) => {
  const pause = random.between(0, 2 * idleTimeout).toFixed(3)
  return {
    text: `come back after ${pause} s`,
    play: async (sleeper) => {
      const { world, host, name } = sleeper
      await sleep(Number(pause) * 1000)
      try {
        const [one, other] = await world.calls.track('get or open', () =>
          Promise.all([host.getOrOpen(name), host.getOrOpen(name)]),
        )
        demand(one === other, () => 'two callers at once were given two sandboxes of one id')
        await world.calls
          .track('visit', () => sleeper.visit(one))
          .catch((error: unknown) => {
            throw sleeper.judge(error, one.generation)
          })
      } catch (error) {
        if (error instanceof SandboxClosedError) throw new ActOver('closed meanwhile')
        throw error
      }
    },
  }
}

/** Asks a small host for more than it has: two get a sandbox, one waits in vain, the others are refused. */
const crowd: Plan<Sleeper> = (random) => {
  const size = 4 + random.below(4)
  return {
    text: `${size} in a host of two`,
    play: async ({ world, house }) => {
      const options = { maxCells: 1, maxSandboxes: 2, maxQueued: 1 }
      const host = world.openHost({ ...hostOptions[house.level], ...options })
      const signal = AbortSignal.timeout(30_000)
      const openings = Array.from({ length: size }, () => {
        return world.calls.track('open in a crowd', () => host.open({}, { signal }))
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
      await world.closeHost(host, 0)
    },
  }
}

const repertoire: Repertoire<Sleeper> = [
  [12, comeBack],
  [1, crowd],
]

/** Leaves sandboxes to their host. */
export function sleeper(name: string, world: World, house: House): Role {
  const stage = new Sleeper(name, world, house)
  return roleOf(repertoire, stage, () => stage.end())
}

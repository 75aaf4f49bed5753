import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { LossCode, ShellHost } from '../../src/index.ts'
import { type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import type { Gate } from '../gate.ts'
import type { House } from '../house.ts'
import { children } from '../processes.ts'
import { until } from '../until.ts'
import type { World } from '../world.ts'

/** One that injects faults from outside. It is not inside the gate of its house. */
interface Saboteur {
  readonly world: World
  readonly house: House
  readonly workers: ReadonlySet<Worker>
}

/** Drains the host of its level, and has the actors go on in another. */
const renewHost: Plan<Saboteur> = (random) => {
  const grace = random.pick([0, 0.5, 5])
  return {
    text: `drain the host, grace ${grace} s`,
    play: ({ world, house }) => {
      const renew = () => house.renew(grace)
      return house.level === 'process' ? renew() : world.workers.alone(renew)
    },
  }
}

/**
 * Ends a worker, as nobody may do to one that runs a command: so nobody acts, and nothing runs any more. Each sandbox
 * that it served is lost.
 */
const terminate: Plan<Saboteur> = (random) => {
  const which = random.next()
  return {
    text: `terminate the worker at ${which.toFixed(2)}`,
    play: ({ world, workers }) => {
      const houses = [...world.houses.values()].filter(({ level }) => level !== 'process')
      const gates = [world.workers, ...houses.map(({ gate }) => gate)]
      return alone(gates, async () => {
        await until(
          () => atRest(world),
          60,
          () => 'commands that nobody waits for still run',
        )
        await sleep(100) // An opening that was given up may still build its shell.
        const victim = [...workers][Math.floor(which * workers.size)]
        if (victim !== undefined) await strike(world, victim)
      })
    },
  }
}

async function strike(world: World, victim: Worker): Promise<void> {
  const before = placesOf(world)
  const mayHit = (id = '') => !id.startsWith('process-')
  const fault = world.losses.strike({ reasons: ['WORKER_EXITED'], mayHit })
  await victim.terminate()
  // Each session that is lost gives its place back; one that was closed just before may do so, too.
  const gone = () => {
    const { leased, lost } = placesOf(world)
    return { given: before.leased - leased, lost: lost - before.lost }
  }
  const balanced = ({ given, lost } = gone()) => given >= lost
  await until(balanced, 10, () => `after a worker was terminated ${JSON.stringify(gone())}`)
  fault.over()
}

/** Ends the cell of a sandbox by a signal. */
const kill: Plan<Saboteur> = (random) => {
  const [signal, which] = [random.pick<NodeJS.Signals>(['SIGKILL', 'SIGSEGV', 'SIGABRT']), random.next()]
  return {
    text: `${signal} to the cell at ${which.toFixed(2)}`,
    play: ({ world }) => signalCell(world, which, signal, ['CELL_EXITED']),
  }
}

/** How a command ends whose cell stands still past its deadline. */
const overdue: readonly LossCode[] = ['DEADLINE_IGNORED']

/** Has a cell stand still for good: it is ended when it has not answered for long enough. */
const freeze: Plan<Saboteur> = (random) => {
  const which = random.next()
  return {
    text: `SIGSTOP to the cell at ${which.toFixed(2)}`,
    play: ({ world }) => signalCell(world, which, 'SIGSTOP', ['CELL_STALLED', ...overdue]),
  }
}

/** Has a cell stand still for a while, and go on: nothing is lost but what has a deadline meanwhile. */
const pause: Plan<Saboteur> = (random) => {
  const [which, seconds] = [random.next(), random.between(0.2, 3).toFixed(1)]
  return {
    text: `pause the cell at ${which.toFixed(2)} for ${seconds} s`,
    play: async ({ world }) => {
      const pid = cellAt(world, which)
      if (pid === undefined) return
      const fault = world.losses.strike({
        reasons: overdue,
        mayHit: (id = '') => world.cellOf.get(id) === pid,
      })
      if (signalTo(pid, 'SIGSTOP')) {
        await sleep(Number(seconds) * 1000)
        signalTo(pid, 'SIGCONT')
        await sleep(1000) // What came too late is told in a moment.
      }
      fault.over()
    },
  }
}

/** Injects faults into the workers or cells of a level. */
export function saboteur(world: World, house: House, workers: ReadonlySet<Worker>): Role {
  const inCells: Repertoire<Saboteur> = [
    [4, kill],
    [0.6, freeze],
    [2, pause],
    [0.8, renewHost],
  ]
  const inWorkers: Repertoire<Saboteur> = [
    [3, terminate],
    [1, renewHost],
  ]
  const repertoire = house.level === 'process' ? inCells : inWorkers
  return roleOf(repertoire, { world, house, workers }, () => Promise.resolve())
}

async function signalCell(
  world: World,
  which: number,
  signal: NodeJS.Signals,
  reasons: readonly LossCode[],
): Promise<void> {
  const pid = cellAt(world, which)
  if (pid === undefined) return
  const victims = [...world.cellOf].filter(([, cell]) => cell === pid).map(([id]) => id)
  // One whose session is just being opened there is not known to be there.
  const mayHit = (id: string | undefined) => id !== undefined && !world.cellOf.has(id)
  const fault = world.losses.strike({ reasons, victims, mayHit })
  if (!signalTo(pid, signal)) {
    fault.cancel()
    return
  }
  await until(
    () => !children().includes(pid),
    60,
    () => `cell ${pid} is still there after ${signal}`,
  )
  await sleep(500) // Its last sandboxes may be told in a moment.
  fault.over()
}

/** One of the cells in which sandboxes are that faults are meant for. */
function cellAt(world: World, which: number): number | undefined {
  const living = new Set(children())
  const cells = [...new Set(world.cellOf.values())].filter((pid) => living.has(pid))
  return cells[Math.floor(which * cells.length)]
}

/** False where the process has ended. */
function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return children().includes(pid) && process.kill(pid, signal)
  } catch {
    return false // It has ended in this moment.
  }
}

/** Does something while nobody else is inside of any of these gates, which all ask for in the same order. */
function alone(gates: readonly Gate[], work: () => Promise<void>): Promise<void> {
  const [first, ...others] = gates
  return first === undefined ? work() : first.alone(() => alone(others, work))
}

/** Hosts whose workers are threads of this process. */
function hostsOfThreads(world: World): readonly ShellHost[] {
  return world.hosts.filter(({ isolation }) => isolation !== 'process')
}

function atRest(world: World): boolean {
  return hostsOfThreads(world).every((host) => {
    const { retired, queued, running, waiting } = host.stats()
    return retired + queued + running + waiting === 0
  })
}

/** Sessions that have a place, and those that were lost. */
function placesOf(world: World): { readonly leased: number; readonly lost: number } {
  const stats = hostsOfThreads(world).map((host) => host.stats())
  return {
    leased: stats.reduce((sum, { leased }) => sum + leased, 0),
    lost: stats.reduce((sum, { lost }) => sum + lost, 0),
  }
}

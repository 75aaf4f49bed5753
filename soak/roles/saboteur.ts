import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { LossCode } from '../../src/index.ts'
import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { children } from '../processes.ts'
import { alone } from '../shared-lock.ts'
import type { SoakHost } from '../shells/shell.ts'
import { until } from '../until.ts'
import { fullDisk, readOnlyDisk } from './disk-faults.ts'
import { fewDescriptors, littleSpace, noThreads } from './shortages.ts'

/** The state of an actor that injects faults. It does not hold the lock of its level. */
interface Saboteur {
  readonly context: SoakContext
  readonly level: Level
  readonly workers: ReadonlySet<Worker>
}

/** Drains the current host of a level. The actors continue on a new one. */
const renewHost: Plan<Saboteur> = (random) => {
  const grace = random.pick([0, 0.5, 5])
  return {
    text: `drain the host, grace ${grace} s`,
    perform: ({ context, level }) => {
      const renew = () => level.renew(grace)
      return level.isolation === 'process' ? renew() : context.workers.exclusive(renew)
    },
  }
}

/**
 * Terminates a worker while no actor performs an action, because a worker must not be terminated while it runs a
 * command. The worker's sandboxes are lost.
 */
const terminate: Plan<Saboteur> = (random) => {
  const which = random.next()
  return {
    text: `terminate the worker at ${which.toFixed(2)}`,
    perform: ({ context, workers }) => {
      const levels = [...context.levels.values()].filter(({ isolation }) => isolation !== 'process')
      const locks = [context.workers, ...levels.map(({ lock }) => lock)]
      return alone(locks, async () => {
        await until(
          () => atRest(context),
          60,
          () => 'abandoned commands still run',
        )
        await sleep(100) // An abandoned opening may still build its shell.
        const victim = [...workers][Math.floor(which * workers.size)]
        if (victim !== undefined) await terminateWorker(context, victim)
      })
    },
  }
}

async function terminateWorker(context: SoakContext, victim: Worker): Promise<void> {
  const before = placesOf(context)
  const mayHit = (id = '') => !id.startsWith('process-')
  const fault = context.losses.announce({ reasons: ['WORKER_EXITED'], mayHit })
  await victim.terminate()
  // Each lost session frees its place. A session that was closed just before may free one too.
  const gone = () => {
    const { leased, lost } = placesOf(context)
    return { given: before.leased - leased, lost: lost - before.lost }
  }
  const balanced = ({ given, lost } = gone()) => given >= lost
  await until(balanced, 10, () => `after a worker was terminated ${JSON.stringify(gone())}`)
  fault.over()
}

/** Kills a cell with a signal. */
const kill: Plan<Saboteur> = (random) => {
  const [signal, which] = [random.pick<NodeJS.Signals>(['SIGKILL', 'SIGSEGV', 'SIGABRT']), random.next()]
  return {
    text: `${signal} to the cell at ${which.toFixed(2)}`,
    perform: ({ context }) => signalCell(context, which, signal, ['CELL_EXITED']),
  }
}

/** The loss of a command whose cell is stopped past the command's deadline. */
const overdue: readonly LossCode[] = ['DEADLINE_IGNORED']

/** Stops a cell for good. The host kills it when it does not answer. */
const freeze: Plan<Saboteur> = (random) => {
  const which = random.next()
  return {
    text: `SIGSTOP to the cell at ${which.toFixed(2)}`,
    perform: ({ context }) => signalCell(context, which, 'SIGSTOP', ['CELL_STALLED', ...overdue]),
  }
}

/** Stops a cell for a while. Only commands whose deadline passes meanwhile are lost. */
const pause: Plan<Saboteur> = (random) => {
  const [which, seconds] = [random.next(), random.between(0.2, 3).toFixed(1)]
  return {
    text: `pause the cell at ${which.toFixed(2)} for ${seconds} s`,
    perform: async ({ context }) => {
      const pid = cellAt(context, which)
      if (pid === undefined) return
      const fault = context.losses.announce({
        reasons: overdue,
        mayHit: (id) => (context.jails ? isOfCells(id) : context.cellOf.get(id ?? '') === pid),
      })
      if (signalTo(context, pid, 'SIGSTOP')) {
        await sleep(Number(seconds) * 1000)
        signalTo(context, pid, 'SIGCONT')
        await sleep(1000) // Commands that were late report their loss.
      }
      fault.over()
    },
  }
}

/** Injects faults into the workers or cells of a level. */
export function saboteur(context: SoakContext, level: Level, workers: ReadonlySet<Worker>): Role {
  const inCells: WeightedPlans<Saboteur> = [
    [4, kill],
    [0.6, freeze],
    [2, pause],
    [0.8, renewHost],
    [0.4, fewDescriptors],
    [0.4, fullDisk],
    [0.2, readOnlyDisk],
  ]
  const inWorkers: WeightedPlans<Saboteur> = [
    [3, terminate],
    [1, renewHost],
    [0.5, fewDescriptors],
    [0.5, noThreads],
    [0.3, littleSpace],
    [0.4, fullDisk],
    [0.2, readOnlyDisk],
  ]
  const plans = level.isolation === 'process' ? inCells : inWorkers
  return roleOf(plans, { context, level, workers }, () => Promise.resolve())
}

async function signalCell(
  context: SoakContext,
  which: number,
  signal: NodeJS.Signals,
  reasons: readonly LossCode[],
): Promise<void> {
  const pid = cellAt(context, which)
  if (pid === undefined) return
  const victims = [...context.cellOf].filter(([, cell]) => cell === pid).map(([id]) => id)
  // A sandbox that is opening may be in this cell.
  const mayHit = (id: string | undefined) =>
    context.jails ? isOfCells(id) : id !== undefined && !context.cellOf.has(id)
  const fault = context.losses.announce({ reasons, victims, mayHit })
  if (!signalTo(context, pid, signal)) {
    fault.cancel()
    return
  }
  await until(
    () => !cellsOf(context).includes(pid),
    60,
    () => `cell ${pid} is still there after ${signal}`,
  )
  await sleep(500) // The last sandboxes report their loss.
  fault.over()
}

/** The cell at `which` (0 to 1) among the living cells of tracked sandboxes, or among all in jails. */
function cellAt(context: SoakContext, which: number): number | undefined {
  const living = cellsOf(context)
  const tracked = new Set(context.cellOf.values())
  const cells = context.jails ? living : living.filter((pid) => tracked.has(pid))
  return cells[Math.floor(which * cells.length)]
}

/** The processes of Node of all cells: in a jail it is below the two of `bwrap`, once that has made it. */
function cellsOf({ jails }: SoakContext): readonly number[] {
  return jails ? children().flatMap((pid) => children(pid).flatMap(children)) : children()
}

/** Whether a sandbox is in a cell, as far as its name tells. */
function isOfCells(id = 'process-'): boolean {
  return id.startsWith('process-')
}

/** Sends a signal. False where the process has ended. */
function signalTo(context: SoakContext, pid: number, signal: NodeJS.Signals): boolean {
  try {
    return cellsOf(context).includes(pid) && process.kill(pid, signal)
  } catch {
    return false // It ended after the check.
  }
}

/** Hosts whose workers are threads of this process. */
function hostsOfThreads(context: SoakContext): readonly SoakHost[] {
  return context.hosts.filter(({ isolation }) => isolation !== 'process')
}

function atRest(context: SoakContext): boolean {
  return hostsOfThreads(context).every((host) => {
    const { retired, queued, running, waiting } = host.stats()
    return retired + queued + running + waiting === 0
  })
}

/** Number of leased places and of lost sessions, over all hosts of threads. */
function placesOf(context: SoakContext): { readonly leased: number; readonly lost: number } {
  const stats = hostsOfThreads(context).map((host) => host.stats())
  return {
    leased: stats.reduce((sum, { leased }) => sum + leased, 0),
    lost: stats.reduce((sum, { lost }) => sum + lost, 0),
  }
}

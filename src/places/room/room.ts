import type { EngineNeeds } from '../../engines/host-engine.ts'
import type { WorkerLostError } from '../../sandbox/errors.ts'
import { lossError } from '../../sandbox/loss-error.ts'
import { sum } from '../sum.ts'
import { freeDescriptors } from './descriptors.ts'
import { freeTasks } from './tasks.ts'

/** What the system has left; any number from `wanted` on where there is more. */
export interface RoomSource {
  /** Descriptors that this process may still open. */
  descriptors(wanted: number): number
  /** Threads and processes that may still be started. */
  tasks(wanted: number): number
}

const system: RoomSource = { descriptors: freeDescriptors, tasks: freeTasks }

/** Something that waits for room. */
interface Waiter {
  readonly needs: EngineNeeds
  readonly signal: AbortSignal | undefined
  readonly admit: (leave: () => void) => void
  readonly refuse: (error: unknown) => void
}

/**
 * Room for openings: descriptors and threads. Engines and Node end the process where they lack one in the middle of
 * a start, so an opening begins only where there is enough for it and for those under way.
 */
export class Room {
  readonly #source: RoomSource
  readonly #taken = new Set<EngineNeeds>()
  /** The first one came first. Empty where nothing is under way. */
  readonly #waiting: Waiter[] = []

  constructor(source: RoomSource = system) {
    this.#source = source
  }

  /**
   * Takes room for something that begins now.
   *
   * @returns what gives it back, once it has what it needs
   * @throws {WorkerLostError} with the cause `WORKER_FAILED` where there is not enough
   */
  take(needs: EngineNeeds): () => void {
    const shortage = this.shortage(needs)
    if (shortage !== undefined) throw shortage
    return this.#add(needs)
  }

  /** As {@link Room.take}, and waits while others are under way that may leave enough: first come, first served. */
  wait(needs: EngineNeeds, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ needs, signal, admit: resolve, refuse: reject })
      this.#serve()
    })
  }

  #add(needs: EngineNeeds): () => void {
    const taken = { ...needs }
    this.#taken.add(taken)
    return () => {
      this.#taken.delete(taken)
      this.#serve()
    }
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const { needs, signal, admit, refuse } = first
      const shortage = signal?.aborted ? undefined : this.shortage(needs)
      if (shortage !== undefined && this.#taken.size > 0) return
      this.#waiting.shift()
      if (signal?.aborted) refuse(signal.reason)
      else if (shortage === undefined) admit(this.#add(needs))
      else refuse(shortage)
    }
  }

  /** What is missing for something that would begin now; undefined where there is enough. */
  shortage({ descriptors, tasks }: EngineNeeds): WorkerLostError | undefined {
    const others = [...this.#taken]
    const beside = others.length === 0 ? '' : ' with the openings under way'
    const wanted = descriptors + sum(others.map((other) => other.descriptors))
    const free = this.#source.descriptors(wanted)
    if (free < wanted) {
      return shortageOf(
        `this process may open ${Math.max(0, free)} more files, but this takes ${wanted}${beside} (EMFILE). ` +
          `Raise \`ulimit -n\`, or close files, connections or sandboxes.`,
      )
    }
    if (tasks === 0) return undefined
    const wantedTasks = tasks + sum(others.map((other) => other.tasks))
    const freeTasks = this.#source.tasks(wantedTasks)
    if (freeTasks >= wantedTasks) return undefined
    return shortageOf(
      `this user, or this container, may start ${Math.max(0, freeTasks)} more threads, but this takes ${wantedTasks}${beside} (EAGAIN). ` +
        'Raise `ulimit -u` or the limit of pids, or open fewer sandboxes.',
    )
  }
}

/** The room of this process. */
export const processRoom = new Room()

function shortageOf(why: string): WorkerLostError {
  const message = `The sandbox was not opened: ${why}`
  return lossError({ code: 'WORKER_FAILED', message }, message)
}

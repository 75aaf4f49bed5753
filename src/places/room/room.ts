import { setImmediate } from '../../async/clock.ts'
import type { EngineNeeds } from '../../engines/host-engine.ts'
import type { WorkerLostError } from '../../sandbox/errors.ts'
import { lossError } from '../../sandbox/loss-error.ts'
import { sum } from '../sum.ts'
import { freeAddressSpace } from './address-space.ts'
import { freeDescriptors } from './descriptors.ts'
import { freeTasks } from './tasks.ts'

/** What the system has left; any number from `wanted` on where there is more. */
export interface RoomSource {
  /** Descriptors that this process may still open. */
  descriptors(wanted: number): number
  /** Threads and processes that may still be started. */
  tasks(wanted: number): number
  /** Bytes of address space that this process may still reserve. */
  addressSpace(wanted: number): number
}

const system: RoomSource = { descriptors: freeDescriptors, tasks: freeTasks, addressSpace: freeAddressSpace }

interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  readonly onAdmitted?: (() => void) | undefined
}

/** Something that waits for room. */
interface Waiter extends WaitOptions {
  /** What it needs when it is its turn: a place may have become free meanwhile. */
  readonly needs: () => EngineNeeds
  readonly admit: (leave: () => void) => void
  readonly refuse: (error: unknown) => void
}

/**
 * Room for openings: descriptors, threads and address space. Engines and Node end the process where they lack one in the middle of
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

  /**
   * As {@link Room.take}, and waits while others are under way that may leave enough: first come, first served.
   *
   * @param options - `onAdmitted` is called when there is room, before the needs of the next one are asked for.
   */
  wait(needs: () => EngineNeeds, options: WaitOptions = {}): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...options, needs, admit: resolve, refuse: reject })
      this.#serve()
    })
  }

  #add(needs: EngineNeeds): () => void {
    const taken = { ...needs }
    this.#taken.add(taken)
    return () => {
      this.#taken.delete(taken)
      // What was built may be free for the next one at the end of this turn.
      if (this.#waiting.length > 0) setImmediate(() => this.#serve())
    }
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const { signal, onAdmitted, admit, refuse } = first
      const needs = first.needs()
      const shortage = signal?.aborted ? undefined : this.shortage(needs)
      if (shortage !== undefined && this.#taken.size > 0) return
      this.#waiting.shift()
      if (signal?.aborted) refuse(signal.reason)
      else if (shortage !== undefined) refuse(shortage)
      else {
        onAdmitted?.()
        admit(this.#add(needs))
      }
    }
  }

  /** What is missing for something that would begin now; undefined where there is enough. */
  shortage(needs: EngineNeeds): WorkerLostError | undefined {
    for (const kind of kinds) {
      const others = sum([...this.#taken].map((other) => other[kind]))
      const wanted = needs[kind] === 0 ? 0 : needs[kind] + others
      const free = wanted === 0 ? 0 : this.#source[kind](wanted)
      if (free >= wanted) continue
      const beside = this.#taken.size === 0 ? '' : ' with the openings under way'
      return shortageOf(told[kind](Math.max(0, free), wanted, beside))
    }
    return undefined
  }
}

/** What is looked for in this order. */
const kinds = ['descriptors', 'tasks', 'addressSpace'] as const

/** How each shortage reads: what is left, what this takes, and what helps. */
const told: Readonly<
  Record<(typeof kinds)[number], (free: number, wanted: number, beside: string) => string>
> = {
  descriptors: (free, wanted, beside) =>
    `this process may open ${free} more files, but this takes ${wanted}${beside} (EMFILE). ` +
    'Raise `ulimit -n`, or close files, connections or sandboxes.',
  tasks: (free, wanted, beside) =>
    `this user, or this container, may start ${free} more threads, but this takes ${wanted}${beside} (EAGAIN). ` +
    'Raise `ulimit -u` or the limit of pids, or open fewer sandboxes.',
  addressSpace: (free, wanted, beside) =>
    `this process may reserve ${mebibytes(free)} MiB more of address space, but this takes ${mebibytes(wanted)} MiB${beside} (ENOMEM). ` +
    'Raise `ulimit -v`, or open fewer sandboxes.',
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20)
}

/** The room of this process. */
export const processRoom = new Room()

function shortageOf(why: string): WorkerLostError {
  const message = `The sandbox was not opened: ${why}`
  return lossError({ code: 'WORKER_FAILED', message }, message)
}

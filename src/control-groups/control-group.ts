import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from '../async/clock.ts'
import { type GroupParents, groupName } from './group-parents.ts'

/** What a group bounds. */
export interface GroupBounds {
  /** Processes and threads. */
  readonly processes: number
  /** Bytes. */
  readonly memory: number
}

/** How often a bound was met. */
export interface GroupEvents {
  /** Processes that could not be started. */
  readonly refused: number
  /** Processes that were ended because there was no memory left. */
  readonly killed: number
}

/** Milliseconds between two tries to remove a group whose processes are ending: few at first, since most end at once. */
const SOONEST = 5
const LATEST = 200
const MOST_TRIES = 40

/** A control group of one jail. */
export class ControlGroup {
  readonly #parents: GroupParents
  readonly #directories: readonly string[]
  readonly #pids: string | undefined
  readonly #memory: string | undefined

  /** @throws the system's error where it cannot be made */
  constructor(parents: GroupParents, bounds: GroupBounds) {
    const name = groupName()
    const at = (parent: string | undefined) => (parent === undefined ? undefined : join(parent, name))
    this.#parents = parents
    this.#pids = at(parents.pids)
    this.#memory = at(parents.memory)
    this.#directories = [...new Set([this.#pids, this.#memory])].filter((path) => path !== undefined)
    for (const directory of this.#directories) mkdirSync(directory)
    this.#bound(bounds)
  }

  /** Directories of which a process is to join each. */
  get directories(): readonly string[] {
    return this.#directories
  }

  get events(): GroupEvents {
    const file = this.#parents.version === 2 ? 'memory.events' : 'memory.oom_control'
    return {
      refused: countIn(this.#pids, 'pids.events', 'max'),
      killed: countIn(this.#memory, file, 'oom_kill'),
    }
  }

  /** Ends what is in the group, and removes it as soon as that is gone. */
  remove(tries = 0): void {
    const left = this.#directories.filter((directory) => !removed(directory))
    if (left.length === 0 || tries === MOST_TRIES) return
    for (const directory of left) endAll(directory)
    setTimeout(() => this.remove(tries + 1), Math.min(LATEST, SOONEST * 2 ** tries)).unref()
  }

  #bound({ processes, memory }: GroupBounds): void {
    const set = (directory: string | undefined, file: string, value: number) => {
      if (directory !== undefined) writeFileSync(join(directory, file), String(value))
    }
    set(this.#pids, 'pids.max', processes)
    if (this.#parents.version === 2) {
      set(this.#memory, 'memory.max', memory)
      optional(() => set(this.#memory, 'memory.swap.max', 0))
    } else {
      set(this.#memory, 'memory.limit_in_bytes', memory)
      optional(() => set(this.#memory, 'memory.memsw.limit_in_bytes', memory))
    }
  }
}

/** Sets what a system without swap space may not have. */
function optional(set: () => void): void {
  try {
    set()
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'EACCES') throw error
  }
}

function systemCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function countIn(directory: string | undefined, file: string, word: string): number {
  if (directory === undefined) return 0
  try {
    const text = readFileSync(join(directory, file), 'latin1')
    return Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0 // An older kernel does not count, and a removed group counts no more.
    throw error
  }
}

function removed(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch (error) {
    return systemCode(error) === 'ENOENT'
  }
}

/** Version 1 has no word for it. */
function endAll(directory: string): void {
  try {
    for (const pid of readFileSync(join(directory, 'cgroup.procs'), 'latin1').split('\n')) {
      if (Number(pid) > 0) process.kill(Number(pid), 'SIGKILL')
    }
  } catch {
    // The group or a process of it has ended by itself: the next try tells.
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import {
  childrenOf,
  identify,
  innerNumber,
  lives,
  type ProcessId,
  signal,
  ticksNow,
  treeOf,
} from './processes.ts'

/** Milliseconds in which a program may end by itself. */
const GRACE = 100
/** Milliseconds in which a shell may write its state. */
const KEEPING = 500
/** Milliseconds in which nothing of a command is left, or its jail is ended. */
const MOST = 2000
/** Milliseconds between two looks. */
const LOOK = 5

/** Ends a shell whose traps do not name it: it runs that of `EXIT`. */
const END: NodeJS.Signals = 'SIGVTALRM'

/** What is known of the shell of a jail. */
interface Shell {
  /** The number of `bwrap` on the host. */
  readonly jail: number | undefined
  /** The number of the shell in the jail. */
  readonly pid: number
  readonly hasJobs: boolean
}

/** Ends a command with all that it has started. Jobs of commands before it live on. */
export class CommandStop {
  readonly #shell: () => Shell
  #found: { readonly inner: number; readonly id: ProcessId } | undefined
  #jobs: readonly ProcessId[] = []
  #began = 0

  constructor(shell: () => Shell) {
    this.#shell = shell
  }

  /** A command begins. */
  begin(): void {
    const { hasJobs } = this.#shell()
    this.#jobs = []
    this.#began = performance.now()
    if (!hasJobs) return
    const shell = this.#find()
    if (shell === undefined) return
    this.#jobs = childrenOf(shell.pid).flatMap((pid) => identify(pid) ?? [])
  }

  /**
   * Ends the command that runs. What its shell has not read would be read by the next one: it has the time to begin.
   *
   * @param ended - whether its shell has answered, or has ended.
   * @param begun - whether its shell has read it.
   * @returns false where it cannot be ended: the jail must be
   */
  async stop(ended: () => boolean, begun: () => boolean): Promise<boolean> {
    let start = performance.now()
    const since = () => performance.now() - start
    let shell: ProcessId | undefined
    while (!ended() && since() < MOST) {
      // A shell that is gone has ended by itself, and is about to be heard of.
      shell = begun() ? this.#find() : undefined
      if (shell !== undefined) break
      await sleep(LOOK)
    }
    if (shell === undefined || ended()) return ended()
    start = performance.now()
    // What stands still starts nothing.
    signal(shell, 'SIGSTOP')
    const started = this.#startedBy(shell)
    signal(shell, END)
    signal(shell, 'SIGCONT')
    for (const each of started) signal(each, 'SIGTERM')
    const left = () => started.some(lives) || !ended()
    while (left() && since() < GRACE) await sleep(LOOK)
    for (const each of this.#strays(started)) signal(each, 'SIGKILL')
    while (!ended() && since() < KEEPING) await sleep(LOOK)
    while (since() < MOST) {
      const rest = this.#strays(started)
      if (rest.length === 0 && ended()) return true
      if (!ended()) rest.push(...this.#startedBy(shell), shell)
      for (const each of rest) signal(each, 'SIGKILL')
      await sleep(LOOK)
    }
    return false
  }

  #startedBy(shell: ProcessId): ProcessId[] {
    return treeOf(shell.pid, (each) => this.#isJob(each)).filter(({ pid }) => pid !== shell.pid)
  }

  /** What of a command is left, and what it has started and left to the first process of the jail. */
  #strays(started: readonly ProcessId[]): ProcessId[] {
    const found = started.filter(lives).flatMap(({ pid }) => treeOf(pid, (each) => this.#isJob(each)))
    const init = this.#init()
    if (init === undefined) return found
    const began = ticksNow() - Math.ceil((performance.now() - this.#began) / 10) - 1
    // The first is the supervisor of the shell.
    const orphans = childrenOf(init)
      .slice(1)
      .flatMap((pid) => identify(pid) ?? [])
      .filter((each) => each.start >= began && !this.#isJob(each))
    return [...found, ...orphans.flatMap(({ pid }) => treeOf(pid, (each) => this.#isJob(each)))]
  }

  #isJob({ pid, start }: ProcessId): boolean {
    return this.#jobs.some((job) => job.pid === pid && job.start === start)
  }

  /** The first process of the jail, on the host. */
  #init(): number | undefined {
    const { jail } = this.#shell()
    return jail === undefined ? undefined : childrenOf(jail)[0]
  }

  #find(): ProcessId | undefined {
    const { jail, pid } = this.#shell()
    if (jail === undefined) return undefined
    if (this.#found?.inner === pid && lives(this.#found.id)) return this.#found.id
    const id = treeOf(jail).find((each) => innerNumber(each.pid) === pid && each.pid !== jail)
    this.#found = id === undefined ? undefined : { inner: pid, id }
    return id
  }
}

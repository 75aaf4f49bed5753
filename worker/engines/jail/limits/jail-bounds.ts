import { release } from 'node:os'
import { ControlGroup, type GroupEvents } from '../../../../src/control-groups/control-group.ts'
import { type GroupParents, systemGroupParents } from '../../../../src/control-groups/group-parents.ts'
import { watchProcesses } from './process-watch.ts'

/** The bounds of a jail. Sizes are bytes. */
export interface JailLimits {
  /** Of a file. */
  readonly maxFileSize: number
  /** Processes and threads at once, those that the jail itself takes left out. */
  readonly maxProcesses: number
  /** Of all processes together, and of files in memory where control groups bound it. */
  readonly maxMemory: number
  /** Files that one process has open. */
  readonly maxOpenFiles: number
}

/** Bytes that each process may write to a file in any case: a shell that ends writes its state. */
const LEAST_FILE = 2 ** 18

/** How the bounds are kept, and what the jail itself takes. */
interface Means {
  /** Processes and threads of the jail itself: `bwrap`, its shells, and what else it needs. */
  readonly own: number
  /** Where control groups can be made; null: they are not used. Default: they are looked for. */
  readonly parents?: GroupParents | null
}

/**
 * The bounds of one jail. Processes and memory are bounded by a control group where one can be made. Elsewhere each process is
 * bounded by the system's limits, and the jail by a look at its processes several times a second, which ends it.
 */
export class JailBounds {
  readonly #limits: JailLimits
  readonly #own: number
  readonly #group: ControlGroup | undefined
  readonly #parents: GroupParents | null
  #told: GroupEvents = { refused: 0, killed: 0 }
  #unwatch: (() => void) | undefined

  /** @throws the system's error where a control group cannot be made after all */
  constructor(limits: JailLimits, { own, parents }: Means) {
    this.#limits = limits
    this.#own = own
    this.#parents = parents === undefined ? (systemGroupParents() ?? null) : parents
    if (this.#parents === null) return
    this.#group = new ControlGroup(this.#parents, {
      processes: limits.maxProcesses + own,
      memory: limits.maxMemory,
    })
  }

  /** What bounds the processes and the memory of the jail. */
  get means(): 'control group' | 'control group and watch' | 'watch' {
    if (this.#parents === null) return 'watch'
    return this.#isWatched ? 'control group and watch' : 'control group'
  }

  /** Directories of its control group, which the process that becomes the jail is to join. */
  get groups(): readonly string[] {
    return this.#group?.directories ?? []
  }

  /** What the first shell of the jail runs first: everything after it has these limits. */
  get script(): string {
    const { maxFileSize, maxOpenFiles, maxMemory, maxProcesses } = this.#limits
    return [
      'ulimit -c 0',
      `ulimit -n ${maxOpenFiles}`,
      `ulimit -f ${Math.ceil(Math.max(maxFileSize, LEAST_FILE) / 512)}`,
      ...(this.#parents?.memory === undefined ? [`ulimit -d ${Math.ceil(maxMemory / 1024)}`] : []),
      // The one word of dash and busybox is that of bash for the size of pipes, which nobody can set.
      ...(this.#parents?.pids === undefined && countsByNamespace()
        ? [`ulimit -p ${maxProcesses + this.#own} 2>/dev/null || ulimit -u ${maxProcesses + this.#own}`]
        : []),
      '',
    ].join('\n')
  }

  /**
   * The jail has begun.
   *
   * @param pid - of its process on the host.
   * @param exceeded - called once where the jail is to be ended, with what was reached.
   */
  begin(pid: number, exceeded: (how: string) => void): void {
    if (!this.#isWatched) return
    const { maxProcesses, maxMemory } = this.#limits
    const bounds = { processes: maxProcesses + this.#own, memory: maxMemory }
    this.#unwatch = watchProcesses({
      pid,
      bounds,
      exceeded: ({ processes, memory }) =>
        exceeded(
          processes > bounds.processes ? tooManyProcesses(maxProcesses) : tooMuchMemory(maxMemory, memory),
        ),
    })
  }

  /** What control groups refused since the last time that it was asked: sentences for people. */
  takeReached(): readonly string[] {
    if (this.#group === undefined) return []
    const { refused, killed } = this.#group.events
    const { maxProcesses, maxMemory } = this.#limits
    const reached = [
      ...(refused > this.#told.refused ? [tooManyProcesses(maxProcesses)] : []),
      ...(killed > this.#told.killed ? [`a program was ended: ${tooMuchMemory(maxMemory)}`] : []),
    ]
    this.#told = { refused, killed }
    return reached
  }

  /** The jail has ended, or is ended with this. */
  close(): void {
    this.#unwatch?.()
    this.#group?.remove()
  }

  get #isWatched(): boolean {
    return this.#parents?.pids === undefined || this.#parents.memory === undefined
  }
}

function tooManyProcesses(most: number): string {
  return `limits.maxProcesses was reached: no more than ${most} processes and threads at once. Raise it, or start fewer`
}

function tooMuchMemory(most: number, found?: number): string {
  const had = found === undefined ? '' : `, and there were ${found}`
  return `limits.maxMemory was reached: ${most} bytes${had}. Raise it, or use less memory`
}

/** Since Linux 5.14 the processes of a user are counted by namespace. Those of root are never bounded. */
function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14))
}

import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { clearTimeout, setTimeout } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import { ContentFile } from '../../channel/content-file.ts'
import { CELL_CHANNEL_FD, CELL_THREADS_FD } from '../../contract/cell.ts'
import { boundedCommand } from './bounded-command.ts'
import { onlyChild } from './jail/only-child.ts'
import { OutputTail } from './output-tail.ts'

/** What a cell is started with. */
export interface CellCommand {
  readonly program: string
  readonly args: readonly string[]
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv
  /** The filter that `bwrap` reads, where that is the program: the cell is then in a jail. */
  readonly filter: string | undefined
}

/** How a process ended. */
export interface Death {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started, where it could not. */
  readonly failure?: Error
}

/** Milliseconds that a dead process's output may take to arrive. */
const outputWait = 200

/** A child process that gets nothing from its parent but pipes and a file of contents to read. It does not keep its parent alive. */
export class CellProcess {
  readonly output = new OutputTail()
  /** Resolves when the process has ended, with all its output read. */
  readonly ended: Promise<Death>
  /** The file by which it gets long contents; undefined where there is none. */
  readonly contents = ContentFile.make()
  readonly #child: ChildProcess
  readonly #isJailed: boolean
  #inJail: number | undefined

  /**
   * @param threadPipes - how many pipes its threads have.
   * @param groups - directories of the control groups that it is in.
   */
  constructor(command: CellCommand, threadPipes: number, groups: readonly string[] = []) {
    this.#isJailed = command.filter !== undefined
    try {
      this.#child = start(command, threadPipes, groups, this.contents)
    } catch (error) {
      this.contents?.close()
      throw error
    } finally {
      this.contents?.inherited()
    }
    const { stdout, stderr } = this.#child
    for (const stream of [stdout, stderr]) {
      this.output.read(stream)
      if (isSocket(stream)) stream.unref()
    }
    this.#child.unref()
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (failure) => resolve({ code: null, signal: null, failure }))
      this.#child.once('exit', (code, signal) => {
        const tell = () => {
          clearTimeout(timer)
          resolve(this.#isJailed ? deathInJail(code, signal) : { code, signal })
        }
        const timer = setTimeout(tell, outputWait)
        this.#child.once('close', tell)
      })
    })
  }

  /** The process of Node. Undefined where it could not be started, and while its jail is made. */
  get pid(): number | undefined {
    if (!this.#isJailed) return this.#child.pid
    this.#inJail ??= onlyChild(this.#init)
    return this.#inJail
  }

  /** This side of the pipe; one that is closed where the process could not be started. */
  get pipe(): Socket {
    const { stdio }: Partial<ChildProcess> = this.#child
    const pipe = stdio?.[CELL_CHANNEL_FD]
    if (isSocket(pipe)) return pipe
    const { Socket } = process.getBuiltinModule('node:net')
    return new Socket().destroy()
  }

  /** This side of the pipes of its threads; none where the process could not be started. */
  get threadPipes(): readonly Socket[] {
    const { stdio }: Partial<ChildProcess> = this.#child
    return stdio?.slice(CELL_THREADS_FD).filter(isSocket) ?? []
  }

  /** Keeps this process alive until the child has ended. */
  ref(): void {
    this.#child.ref()
  }

  /** Ends it at once, whatever it does: with the first process of a jail the kernel ends all others. */
  kill(): void {
    const init = this.#init
    try {
      if (init !== undefined) process.kill(init, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
    this.#child.kill('SIGKILL')
  }

  /** The first process of the jail. */
  get #init(): number | undefined {
    const { pid, exitCode, signalCode } = this.#child
    return this.#isJailed && exitCode === null && signalCode === null ? onlyChild(pid) : undefined
  }
}

function isSocket(stream: unknown): stream is Socket {
  return stream instanceof process.getBuiltinModule('node:net').Socket
}

function start(
  { program, args, env, filter }: CellCommand,
  threadPipes: number,
  groups: readonly string[],
  contents: ContentFile | undefined,
): ChildProcess {
  const command = boundedCommand(program, args, groups)
  const { spawn } = process.getBuiltinModule('node:child_process')
  const seccomp = filter === undefined ? undefined : openSync(filter, 'r')
  try {
    return outsideRequests(() =>
      spawn(command.program, command.args, {
        env,
        stdio: [
          ...(['ignore', 'pipe', 'pipe', 'pipe'] as const),
          seccomp ?? 'ignore',
          contents?.reader ?? 'ignore',
          ...Array.from({ length: threadPipes }, () => 'pipe' as const),
        ],
        windowsHide: true,
      }),
    )
  } finally {
    if (seccomp !== undefined) closeSync(seccomp)
  }
}

/** `bwrap` tells a signal as a shell does: 128 and its number. */
function deathInJail(code: number | null, signal: NodeJS.Signals | null): Death {
  const inside = Object.entries(constants.signals).find(([, number]) => code === 128 + number)
  return inside === undefined ? { code, signal } : { code: null, signal: inside[0] as NodeJS.Signals }
}

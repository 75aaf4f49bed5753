import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { clearTimeout, setTimeout } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import { CELL_CHANNEL_FD } from '../../contract/cell.ts'
import { OutputTail } from './output-tail.ts'
import { withoutCoreDumps } from './without-core-dumps.ts'

/** How a process ended. */
export interface Death {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started, where it could not. */
  readonly failure?: Error
}

/** Milliseconds that a dead process's output may take to arrive. */
const outputWait = 200

/** A child process that gets nothing from its parent but a pipe. It does not keep its parent alive. */
export class CellProcess {
  readonly output = new OutputTail()
  /** Resolves when the process has ended, with all its output read. */
  readonly ended: Promise<Death>
  readonly #child: ChildProcess

  /** @param entry - the file that it runs. @param env - all of its environment. */
  constructor(entry: URL, env: NodeJS.ProcessEnv) {
    const { program, args } = withoutCoreDumps(process.execPath, [fileURLToPath(entry)])
    this.#child = outsideRequests(() =>
      spawn(program, args, {
        env,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        windowsHide: true,
      }),
    )
    const { stdout, stderr } = this.#child
    for (const stream of [stdout, stderr]) {
      this.output.read(stream)
      if (stream instanceof Socket) stream.unref()
    }
    this.#child.unref()
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (failure) => resolve({ code: null, signal: null, failure }))
      this.#child.once('exit', (code, signal) => {
        const tell = () => {
          clearTimeout(timer)
          resolve({ code, signal })
        }
        const timer = setTimeout(tell, outputWait)
        this.#child.once('close', tell)
      })
    })
  }

  /** Undefined where it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** This side of the pipe; one that is closed where the process could not be started. */
  get pipe(): Socket {
    const { stdio }: Partial<ChildProcess> = this.#child
    const pipe = stdio?.[CELL_CHANNEL_FD]
    return pipe instanceof Socket ? pipe : new Socket().destroy()
  }

  /** Keeps this process alive until the child has ended. */
  ref(): void {
    this.#child.ref()
  }

  /** Ends it at once, whatever it does. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

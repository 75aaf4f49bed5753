import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { clearTimeout, performance, setImmediate, setTimeout } from '../../async/clock.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { combine, type Shown } from '../output-text.ts'
import { atExit } from './exit-hook.ts'
import { OutputPipes } from './output-pipes.ts'
import { endGroup, isGroupThere, killGroup } from './process-group.ts'

/** A process to run. Plain data. */
export interface ProcessSpec {
  readonly argv: readonly string[]
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Seconds. */
  readonly timeout: number
  /** Characters of output to keep. */
  readonly maxOutput: number
}

/** How a process ended. Plain data. */
export type ProcessEnd =
  | (Ran & {
      readonly how: 'exited'
      readonly exitCode: number
      /** The group of the processes that it left behind; absent where there are none. */
      readonly group?: number
    })
  | (Ran & { readonly how: 'timeout' | 'stopped' })
  | NotStarted

interface Ran extends Shown {
  /** From its start until it ended, or was ended. */
  readonly durationMs: number
}

interface NotStarted {
  readonly how: 'not started'
  /** The system's code, such as `ENOENT`. */
  readonly code: string
  readonly message: string
}

type Ending = { readonly how: 'exited'; readonly exitCode: number } | { readonly how: 'timeout' | 'stopped' }

/**
 * Runs a process in a group of its own, without standard input, and waits for it. What it left behind in the
 * background is not waited for. A passed time limit ends the whole group.
 *
 * @param stop - Ends the whole group as well, when it is aborted.
 */
export async function runProcess(spec: ProcessSpec, stop?: AbortSignal): Promise<ProcessEnd> {
  const begin = performance.now()
  const child = await start(spec)
  if ('how' in child) return child
  const { process: leader, group } = child
  const pipes = new OutputPipes(leader, spec.maxOutput)
  const disarm = atExit(() => killGroup(group))
  try {
    const ending = await endOf(leader, spec.timeout, stop)
    const durationMs = performance.now() - begin
    if (ending.how !== 'exited') await endGroup(group)
    const { stdout, stderr } = await pipes.finish()
    const ran = { ...combine(stdout, stderr, spec.maxOutput), durationMs }
    if (ending.how !== 'exited') return { how: ending.how, ...ran }
    return { ...ending, ...ran, ...(isGroupThere(group) ? { group } : {}) }
  } finally {
    disarm()
  }
}

async function start(spec: ProcessSpec): Promise<{ process: ChildProcess; group: number } | NotStarted> {
  const [program = '', ...args] = spec.argv
  try {
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { pid } = child
    if (pid !== undefined) return { process: child, group: pid }
    return notStarted(await new Promise<Error>((resolve) => child.once('error', resolve)))
  } catch (error) {
    return notStarted(error)
  }
}

function notStarted(error: unknown): NotStarted {
  return { how: 'not started', code: errorCode(error) ?? '', message: String(error) }
}

/** Waits for the end of a process, its time limit or a stop, whichever is first. */
function endOf(child: ChildProcess, seconds: number, stop: AbortSignal | undefined): Promise<Ending> {
  return new Promise((resolve) => {
    const settle = (ending: Ending) => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', onStop)
      resolve(ending)
    }
    // After a thread was blocked its timers fire first: `setImmediate` lets an exit that came in time be read before.
    const timer = setTimeout(() => setImmediate(() => settle({ how: 'timeout' })), seconds * 1000)
    const onStop = () => settle({ how: 'stopped' })
    stop?.addEventListener('abort', onStop)
    if (stop?.aborted) onStop()
    child.once('exit', (code, signal) => settle({ how: 'exited', exitCode: exitCode(code, signal) }))
  })
}

function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

import type { CommandAnswer } from '../contract/host-commands.ts'
import type { Outcome } from '../contract/shell-api.ts'
import type { AnswerSignal, CommandSignal, FileDoneSignal, FileSignal } from '../contract/signals.ts'
import { failedAnswer } from './command-answer.ts'
import { CommandRun } from './command-run.ts'
import type { HostCommands } from './host-commands.ts'

/** Functions of one session that may run at once: those of ended commands, which have not stopped, are among them. */
const mostRunning = 64

/** Where a lease finds its functions: undefined once their sandbox is gone. */
export type FindHostCommands = () => HostCommands | undefined

/**
 * The functions of the caller that run for one lease. What asks for them is data of a worker: only known names run, and
 * only for a call that is in flight.
 */
export class CommandCalls {
  readonly #find: FindHostCommands
  readonly #send: (signal: AnswerSignal | FileSignal) => void
  readonly #runs = new Map<number, CommandRun>()
  readonly #files = new Map<number, (outcome: Outcome<Uint8Array | null>) => void>()
  /** Calls whose callers gave up. */
  readonly #interrupted = new Set<number>()
  #lastFile = 0
  #running = 0

  constructor(find: FindHostCommands, send: (signal: AnswerSignal | FileSignal) => void) {
    this.#find = find
    this.#send = send
  }

  /** Runs a function, and answers when it has ended. Its call must be in flight. */
  start(request: CommandSignal): void {
    const { id, call, name } = request
    if (this.#runs.has(id)) return
    const commands = this.#find()
    const run = commands?.get(name)
    if (commands === undefined || run === undefined) {
      this.#answer(id, failedAnswer(`${name}: command not found\n`, 127))
    } else if (this.#interrupted.has(call)) {
      this.#answer(id, failedAnswer('', 130))
    } else if (this.#running >= mostRunning) {
      const message = `${mostRunning} commands of the caller still run; wait for some of them`
      this.#answer(id, failedAnswer(`${name}: ${message}\n`))
    } else {
      const started = new CommandRun(request, (file, done) => this.#sendFile(id, file, done))
      this.#runs.set(id, started)
      this.#running += 1
      // Never rejects.
      void started.start(run, commands.maxOutput).then((answer) => {
        this.#running -= 1
        if (this.#runs.get(id) === started) {
          this.#runs.delete(id)
          this.#answer(id, answer)
        }
      })
    }
  }

  /** The command has ended before its function. */
  ended(id: number): void {
    const run = this.#runs.get(id)
    this.#runs.delete(id)
    run?.end()
  }

  /** A function's read or write is done. */
  fileDone({ id, outcome }: FileDoneSignal): void {
    const done = this.#files.get(id)
    this.#files.delete(id)
    done?.(outcome)
  }

  /** The caller of a call gave up: its functions stop, and no further one of it begins. */
  interrupt(call: number): void {
    this.#interrupted.add(call)
    for (const id of this.#endOf((run) => run.call === call)) this.#answer(id, failedAnswer('', 130))
  }

  /** A call has settled. */
  settled(call: number): void {
    // Nearly every call ends here without one.
    if (this.#interrupted.size > 0) this.#interrupted.delete(call)
    if (this.#runs.size > 0) this.#endOf((run) => run.call === call)
  }

  /** The session is over. */
  close(): void {
    this.#endOf(() => true)
    this.#files.clear()
  }

  /** @returns their ids */
  #endOf(matches: (run: CommandRun) => boolean): readonly number[] {
    const ids = [...this.#runs].filter(([, run]) => matches(run)).map(([id]) => id)
    for (const id of ids) this.ended(id)
    return ids
  }

  #answer(id: number, answer: CommandAnswer): void {
    this.#send({ kind: 'answer', id, answer })
  }

  #sendFile(
    command: number,
    file: FileSignal['file'],
    done: (outcome: Outcome<Uint8Array | null>) => void,
  ): void {
    const id = ++this.#lastFile
    this.#files.set(id, done)
    this.#send({ kind: 'file', id, command, file })
  }
}

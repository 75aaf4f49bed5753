import type { MessagePort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import type { BlockingCall } from '../../src/contract/blocking.ts'
import type { CheckpointPart, OmittedPart } from '../../src/contract/checkpoint.ts'
import type { LossData } from '../../src/contract/errors.ts'
import type { EngineName } from '../../src/contract/lease.ts'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CodeRequest,
  CommandOutput,
  CommandRequest,
  CommandsRequest,
  FileEntry,
  FileStat,
  Outcome,
  ShellApi,
  ShellDescription,
} from '../../src/contract/shell-api.ts'
import type { BlockSignal } from '../../src/contract/signals.ts'
import { BlockingCalls } from './blocking-calls.ts'
import { CallQueue } from './call-queue.ts'
import { CommandBatch } from './command-batch.ts'
import type { EngineShell } from './engine-shell.ts'
import { toErrorData } from './far-error.ts'

const dropped = {
  ok: false,
  error: { code: 'IO_ERROR', message: 'The call was taken back before it began.' },
} as const

type Operation<T> = (shell: EngineShell) => Promise<Outcome<T>> | Outcome<T>

/** How a shell hands over what has changed in it. */
interface Checkpoints {
  /** Whether it does so after each call that may change something; else when it is asked. */
  readonly afterCalls: boolean
  /** Told what has changed, before the call is answered; null where that cannot be told any more. */
  readonly onPart: (part: CheckpointPart | null) => void
}

/** Serves one shell of an engine: its calls one at a time, in the order in which they came. */
export class ShellService implements ShellApi {
  readonly #engine: EngineName
  readonly #queue = new CallQueue()
  readonly #batches = new Map<number, CommandBatch>()
  readonly #blocking = new BlockingCalls()
  readonly #checkpoints: Checkpoints
  readonly #isInterrupted: () => boolean
  #shell: EngineShell | undefined
  /** Whether a checkpoint could not be told. */
  #hasFailed = false

  /** @param engine - the name of the shell's engine, for messages. */
  /** @param isInterrupted - whether the caller of the call that runs has given it up. */
  constructor(
    engine: EngineName,
    shell: EngineShell,
    checkpoints: Checkpoints,
    isInterrupted: () => boolean = () => false,
  ) {
    this.#engine = engine
    this.#shell = shell
    this.#checkpoints = checkpoints
    this.#isInterrupted = isInterrupted
  }

  /** The number of the call that runs; undefined where none does. */
  get running(): number | undefined {
    return this.#queue.running
  }

  run(id: number, request: CommandRequest): Promise<Outcome<CommandOutput>> {
    return this.#changing(id, (shell) => shell.run(request))
  }

  runMany(
    id: number,
    { commands, scope, stopOnFailure }: CommandsRequest,
  ): Promise<Outcome<CommandOutput[]>> {
    const batch = new CommandBatch(stopOnFailure, this.#isInterrupted)
    this.#batches.set(id, batch)
    return this.#changing(id, (shell) =>
      batch.run(commands, (command) => shell.run({ command, ...(scope === undefined ? {} : { scope }) })),
    ).finally(() => this.#batches.delete(id))
  }

  runCode(id: number, request: CodeRequest): Promise<Outcome<CommandOutput>> {
    return this.#changing(id, (shell) => shell.runCode(request))
  }

  async readFile(id: number, path: string): Promise<Outcome<Uint8Array>> {
    return moved(await this.#queued(id, (shell) => shell.readFile(path)))
  }

  async writeFile(id: number, path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<ArrayBuffer>> {
    const outcome = await this.#changing(id, (shell) => shell.writeFile(path, content))
    return given(outcome, content)
  }

  async appendFile(
    id: number,
    path: string,
    content: Uint8Array<ArrayBuffer>,
  ): Promise<Outcome<ArrayBuffer>> {
    const outcome = await this.#changing(
      id,
      (shell) => shell.appendFile?.(path, content) ?? this.#unsupported('appendFile'),
    )
    return given(outcome, content)
  }

  removeFile(id: number, path: string, recursive: boolean): Promise<Outcome<null>> {
    return this.#changing(id, (shell) => shell.removeFile(path, recursive))
  }

  makeDirectory(id: number, path: string): Promise<Outcome<null>> {
    return this.#changing(id, (shell) => shell.makeDirectory?.(path) ?? this.#unsupported('makeDirectory'))
  }

  move(id: number, from: string, to: string): Promise<Outcome<null>> {
    return this.#changing(id, (shell) => shell.move?.(from, to) ?? this.#unsupported('move'))
  }

  copy(id: number, from: string, to: string): Promise<Outcome<null>> {
    return this.#changing(id, (shell) => shell.copy?.(from, to) ?? this.#unsupported('copy'))
  }

  listFiles(id: number, path: string): Promise<Outcome<FileEntry[]>> {
    return this.#queued(id, (shell) => shell.listFiles(path))
  }

  stat(id: number, path: string): Promise<Outcome<FileStat>> {
    return this.#queued(id, (shell) => shell.stat?.(path) ?? this.#unsupported('stat'))
  }

  getEnv(id: number, name: string): Promise<Outcome<string | null>> {
    return this.#queued(id, (shell) => shell.getEnv(name))
  }

  setEnv(id: number, name: string, value: string): Promise<Outcome<null>> {
    return this.#changing(id, (shell) => shell.setEnv(name, value))
  }

  describe(id: number): Promise<Outcome<ShellDescription>> {
    return this.#queued(id, (shell) => shell.describe())
  }

  changes(id: number, since: string | undefined): Promise<Outcome<ChangeReport>> {
    return this.#changing(id, (shell) => shell.changes?.(since) ?? this.#unsupported('changes'))
  }

  applyChanges(id: number, request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    return this.#changing(id, (shell) => shell.applyChanges?.(request) ?? this.#unsupported('applyChanges'))
  }

  checkpoint(id: number): Promise<Outcome<readonly OmittedPart[]>> {
    return this.#queued(id, async (shell) => {
      const omitted = (await shell.tellAll?.()) ?? this.#unsupported('checkpoint')
      if (omitted.ok) await this.#handOver(shell)
      return omitted
    })
  }

  restore(id: number, part: CheckpointPart): Promise<Outcome<null>> {
    return this.#queued(id, (shell) => shell.restore?.(part) ?? this.#unsupported('restore'))
  }

  openBlocking(port: MessagePort, words: SharedArrayBuffer): void {
    this.#blocking.open(port, words)
  }

  /** Makes a call that the host's thread blocks on. Settles with the call. */
  block({ id, call }: BlockSignal): Promise<unknown> {
    const outcome = this.#dispatch(id, call)
    this.#blocking.answer(id, outcome)
    return outcome
  }

  cancelBlocking(id: number): Promise<void> {
    return this.#blocking.cancel(id, () => this.cancel(id))
  }

  /** The session is lost. */
  lost(loss: LossData): void {
    this.#blocking.lost(loss)
  }

  cancel(id: number): boolean {
    this.#batches.get(id)?.stop()
    // A command that waits reads no shared word.
    if (this.#queue.running === id) this.#shell?.interrupt?.()
    return this.#queue.cancel(id)
  }

  interrupt(id: number): Outcome<boolean> {
    const shell = this.#shell
    if (shell !== undefined && shell.interrupt === undefined) return this.#unsupported('interrupt')
    if (shell === undefined || this.#queue.running !== id) return { ok: true, value: false }
    this.#batches.get(id)?.stop()
    shell.interrupt?.()
    return { ok: true, value: true }
  }

  close(): boolean {
    const shell = this.#shell
    this.#shell = undefined
    this.#queue.clear()
    for (const batch of this.#batches.values()) batch.stop()
    this.#blocking.close()
    shell?.close()
    return this.#queue.running === undefined
  }

  #dispatch(id: number, call: BlockingCall): Promise<Outcome<unknown>> {
    switch (call.name) {
      case 'run':
        return this.run(id, call.request)
      case 'writeFile':
      case 'appendFile':
        return this[call.name](id, call.path, call.content)
      case 'removeFile':
        return this.removeFile(id, call.path, call.recursive)
      case 'move':
      case 'copy':
        return this[call.name](id, call.from, call.to)
      default:
        return this[call.name](id, call.path)
    }
  }

  #unsupported(operation: keyof ShellApi): Extract<Outcome<never>, { ok: false }> {
    const message = `The engine '${this.#engine}' does not support '${operation}'.`
    return { ok: false, error: { code: 'UNSUPPORTED', message } }
  }

  #queued<T>(id: number, operation: Operation<T>): Promise<Outcome<T>> {
    return this.#queue.add<Outcome<T>>(id, () => this.#attempt(operation), dropped)
  }

  /** An operation that may change the shell. */
  #changing<T>(id: number, operation: Operation<T>): Promise<Outcome<T>> {
    return this.#queue.add<Outcome<T>>(
      id,
      async () => {
        const shell = this.#shell
        const outcome = await this.#attempt(operation)
        const isLost = !outcome.ok && outcome.error.code === 'WORKER_LOST'
        if (this.#checkpoints.afterCalls && shell !== undefined && !isLost) await this.#handOver(shell)
        return outcome
      },
      dropped,
    )
  }

  async #handOver(shell: EngineShell): Promise<void> {
    if (shell.checkpoint === undefined || this.#hasFailed) return
    try {
      for (const part of await shell.checkpoint()) this.#checkpoints.onPart(part)
    } catch (error) {
      // The host goes on from what it has.
      if (toErrorData(error).code === 'WORKER_LOST') return
      // What the host has is too old to go on from, and no later part can follow it.
      this.#hasFailed = true
      this.#checkpoints.onPart(null)
    }
  }

  async #attempt<T>(operation: Operation<T>): Promise<Outcome<T>> {
    try {
      return this.#shell === undefined ? dropped : await operation(this.#shell)
    } catch (error) {
      return { ok: false, error: toErrorData(error) }
    } finally {
      this.#blocking.ended()
    }
  }
}

/** Has the buffer of a content that was taken move back to the host. */
function given(outcome: Outcome<null>, { buffer }: Uint8Array<ArrayBuffer>): Outcome<ArrayBuffer> {
  return outcome.ok ? Comlink.transfer({ ...outcome, value: buffer }, [buffer]) : outcome
}

/** Has the bytes of an outcome move to the host instead of being copied. */
function moved(outcome: Outcome<Uint8Array<ArrayBuffer>>): Outcome<Uint8Array> {
  return outcome.ok ? Comlink.transfer(outcome, [outcome.value.buffer]) : outcome
}

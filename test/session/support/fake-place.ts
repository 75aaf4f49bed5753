import * as Comlink from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import type { CheckpointPart } from '../../../src/contract/checkpoint.ts'
import type { LossData } from '../../../src/contract/errors.ts'
import type { CommandOutput, CommandRequest, ConflictData } from '../../../src/contract/shell-api.ts'
import type { Place } from '../../../src/places/place.ts'
import { STRANDS_CAPABILITIES } from '../../../worker/engines/strands/capabilities.ts'
import { MemoryEndpoint } from './memory-endpoint.ts'

/** What the command `text` leaves behind. */
export function output(text: string): CommandOutput {
  return { exitCode: 0, stdout: text, stderr: '', timedOut: false, truncated: false, durationMs: 0 }
}

/** The worker's answer to the command `text`. */
export function outcome(text: string, conflicts?: readonly ConflictData[]): unknown {
  return { ok: true, value: output(text), ...(conflicts === undefined ? {} : { conflicts }) }
}

/** A shell without a worker. A command prints itself; one that begins with `wait` ends when the test answers it. */
class FakeShell {
  /** The calls that arrived, in order. */
  readonly calls: string[] = []
  /** Whether a call that is cancelled was still queued. */
  queued = false
  /** What `restore` is answered with. */
  restores: unknown = { ok: true, value: null }
  /** What `close` is answered with: whether no native call is in flight. */
  free: boolean | Promise<boolean> = true
  readonly #answers = new Map<string, (reply: unknown) => void>()

  run(_id: number, { command }: CommandRequest): unknown {
    this.calls.push(command)
    if (!command.startsWith('wait')) return outcome(command)
    return new Promise((resolve) => this.#answers.set(command, resolve))
  }

  checkpoint(): unknown {
    this.calls.push('checkpoint')
    return { ok: true, value: [] }
  }

  restore(_id: number, part: CheckpointPart): unknown {
    this.calls.push(`restore ${part.entries.map(({ key, value }) => `${key}=${value}`).join()}`)
    return this.restores
  }

  getEnv(_id: number, name: string): unknown {
    this.calls.push(`getEnv ${name}`)
    return { ok: true, value: null }
  }

  cancel(id: number): boolean {
    this.calls.push(`cancel ${id}`)
    return this.queued
  }

  close(): boolean | Promise<boolean> {
    this.calls.push('close')
    return this.free
  }

  /** Answers a command that waits. */
  answer(command: string, reply: unknown = outcome(command)): void {
    const resolve = this.#answers.get(command)
    if (resolve === undefined) throw new Error(`${command} has not arrived`)
    resolve(reply)
  }
}

/** A place in no worker. It notes how it was given back. */
export class FakePlace implements Place {
  readonly timeout = 30
  readonly allowance = 0
  readonly capabilities = { ...STRANDS_CAPABILITIES, checkpoint: true }
  readonly shell = new FakeShell()
  readonly endpoint: MemoryEndpoint
  /** The worker's end of the connection. */
  readonly far: MemoryEndpoint
  readonly ends: string[] = []
  readonly #listeners: ((loss: LossData) => void)[] = []

  constructor() {
    const [near, far] = MemoryEndpoint.pair()
    this.endpoint = near
    this.far = far
    Comlink.expose(this.shell, nodeEndpoint(far))
  }

  /** The worker hands over that facts have changed. */
  handOver(facts: Readonly<Record<string, string>>): void {
    const entries = Object.entries(facts).map(([key, value]) => ({ key, value }))
    this.signal({ kind: 'checkpoint', part: { contents: [], entries, forgotten: [], last: true } })
  }

  /** The worker sends a signal. */
  signal(signal: unknown): void {
    this.far.postMessage({ signal })
  }

  interrupt(call: number): void {
    this.ends.push(`interrupt ${call}`)
  }

  isBusy(): boolean {
    return false
  }

  onLost(listener: (loss: LossData) => void): void {
    this.#listeners.push(listener)
  }

  /** The worker has ended. */
  lose(loss: LossData): void {
    for (const listener of this.#listeners) listener(loss)
  }

  release(): void {
    this.ends.push('released')
  }

  retire({ suspect } = { suspect: false }): void {
    this.ends.push(suspect ? 'retired as suspect' : 'retired')
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Random } from '../random.ts'

const program = fileURLToPath(new URL('./node.mjs', import.meta.url))

interface FleetParts {
  /** What each node has. */
  readonly options: object
  readonly random: Random
  /** The file of the audit log of a process, by its number from 1. */
  readonly auditOf: (process: number) => string
}

/** The nodes of a chaos: processes that are killed and started again, and some that are stopped for some seconds. */
export class Fleet {
  readonly counts = { started: 0, killed: 0, stopped: 0 }
  readonly #parts: FleetParts
  readonly #running = new Set<ChildProcess>()
  /** Faults that are not mended yet. */
  readonly #under = new Set<Promise<void>>()
  #failure: unknown
  #isOver = false

  constructor(parts: FleetParts) {
    this.#parts = parts
  }

  /** Starts nodes, and resolves when they listen. */
  async start(nodes: number): Promise<void> {
    await Promise.all(Array.from({ length: nodes }, () => this.#startOne()))
  }

  /** Kills a node every so many seconds, and at times has another one stand still, until the signal fires. */
  async disturb(seconds: number, signal: AbortSignal): Promise<void> {
    const { random } = this.#parts
    while (!signal.aborted) {
      await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined) // The chaos is over.
      if (signal.aborted) return
      this.#fail((node) => this.#kill(node))
      if (random.chance(0.25)) this.#fail((node) => this.#stop(node, random.between(2, 9)))
    }
  }

  /** Kills all nodes, and starts as many: what they knew and had not stored is gone. */
  async replace(): Promise<void> {
    const nodes = [...this.#running]
    this.#running.clear()
    await Promise.all(nodes.map(ended))
    await this.start(nodes.length)
  }

  /** Resolves when every node is there again. @throws where one could not be started */
  async mended(): Promise<void> {
    await Promise.all(this.#under)
    if (this.#failure !== undefined) throw this.#failure
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#under)
    await Promise.all([...this.#running].map(ended))
  }

  /** Has a node fail, unless it is the last one: that takes up what the others had. */
  #fail(fault: (node: ChildProcess) => Promise<void>): void {
    const nodes = [...this.#running]
    const node = nodes[this.#parts.random.below(nodes.length)]
    if (node === undefined || nodes.length < 2) return
    this.#running.delete(node)
    const mended = fault(node)
      .catch((error: unknown) => {
        this.#failure = error
      })
      .finally(() => this.#under.delete(mended))
    this.#under.add(mended)
  }

  async #kill(node: ChildProcess): Promise<void> {
    this.counts.killed += 1
    await ended(node)
    if (!this.#isOver) await this.#startOne()
  }

  async #stop(node: ChildProcess, seconds: number): Promise<void> {
    this.counts.stopped += 1
    node.kill('SIGSTOP')
    await sleep(seconds * 1000)
    node.kill('SIGCONT')
    this.#running.add(node)
  }

  async #startOne(): Promise<void> {
    const { options, auditOf } = this.#parts
    this.counts.started += 1
    const file = auditOf(this.counts.started)
    const child = spawn(process.execPath, [program, JSON.stringify(options), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit').then(() => undefined)
    const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
    if (line === undefined) throw new Error('A node has ended before it listened.')
    this.#running.add(child)
  }
}

/** Kills a process, also one that stands still, and resolves when it has ended. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

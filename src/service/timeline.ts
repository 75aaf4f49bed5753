import type { ExecutionData } from '../protocol/execution-schemas.ts'

/** Executions of one sandbox that are kept, at most. */
const mostOfSandbox = 100
/** Characters of all of them. */
const mostText = 64 * 2 ** 20

/** The last executions of each sandbox. */
export class Timeline {
  readonly #bySandbox = new Map<string, Map<string, ExecutionData>>()
  /** Which sandbox each is of, oldest first. */
  readonly #order = new Map<string, string>()
  #text = 0

  /** Adds an execution, or takes its new state. */
  put(execution: ExecutionData): void {
    const { id, sandbox } = execution
    const all = this.#bySandbox.get(sandbox) ?? new Map<string, ExecutionData>()
    this.#bySandbox.set(sandbox, all)
    this.#text += sizeOf(execution) - sizeOf(all.get(id))
    all.set(id, execution)
    this.#order.set(id, sandbox)
    if (all.size > mostOfSandbox) {
      const [oldest] = all.keys()
      if (oldest !== undefined) this.#remove(oldest)
    }
    if (this.#text > mostText) this.#shrink()
  }

  /** Those of a sandbox, oldest first. */
  of(sandbox: string): readonly ExecutionData[] {
    return [...(this.#bySandbox.get(sandbox)?.values() ?? [])]
  }

  get(sandbox: string, id: string): ExecutionData | undefined {
    return this.#bySandbox.get(sandbox)?.get(id)
  }

  /** The sandbox is no more. */
  forget(sandbox: string): void {
    for (const id of this.#bySandbox.get(sandbox)?.keys() ?? []) this.#remove(id)
  }

  /** Drops the oldest ones. */
  #shrink(): void {
    for (const old of this.#order.keys()) {
      if (this.#text <= mostText) return
      this.#remove(old)
    }
  }

  #remove(id: string): void {
    const sandbox = this.#order.get(id)
    if (sandbox === undefined) return
    this.#order.delete(id)
    const all = this.#bySandbox.get(sandbox)
    this.#text -= sizeOf(all?.get(id))
    all?.delete(id)
    if (all?.size === 0) this.#bySandbox.delete(sandbox)
  }
}

function sizeOf(execution: ExecutionData | undefined): number {
  if (execution === undefined) return 0
  return 300 + execution.command.length + execution.stdout.length + execution.stderr.length
}

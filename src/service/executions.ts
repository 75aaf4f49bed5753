import { randomUUID } from 'node:crypto'
import { clearTimeout, setTimeout } from '../async/clock.ts'
import type { Labels } from '../host/event-data.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { CodeBody, CommandBody, ExecutionData } from '../protocol/execution-schemas.ts'
import { isKey } from '../protocol/headers.ts'
import type { ExecuteOptions, ExecutionEvent, ExecutionResult } from '../sandbox/results.ts'
import { masked } from '../session/masked.ts'
import { EarlyStops } from './early-stops.ts'
import { Execution } from './execution.ts'
import type { Feed } from './feed.ts'
import type { Gone } from './gone.ts'
import { KeyedCalls } from './keyed-calls.ts'
import type { Ownership, Tenure } from './ownership.ts'
import type { Principal } from './principals.ts'
import type { Sandboxes } from './sandboxes.ts'
import { saysLater } from './service-problem.ts'
import type { Timeline } from './timeline.ts'

/** Characters of a command that are shown. */
const mostShown = 4096

const stopReason = 'A client has stopped the command.'

/** Characters of each output that an event tells. */
const mostTold = 1024

/** What executions are made with. */
interface ExecutionsParts {
  readonly sandboxes: Sandboxes
  readonly feed: Feed
  readonly timeline: Timeline
  readonly ownership: Ownership | undefined
  /** Seconds. */
  readonly resumeTime: number
  /** Seconds. */
  readonly keyTime: number
  readonly log: (line: string) => void
}

/** What is to be run, and for whom. */
export interface ExecutionRequest {
  readonly principal: Principal
  /** The key of the sandbox. */
  readonly id: string
  readonly body: CommandBody | CodeBody
  /** Undefined: it is nobody's but this request's. */
  readonly key: string | undefined
  /** Of the request. */
  readonly digest: string
  /** Whether its client reads output as it comes. */
  readonly isStream: boolean
}

/** The commands and code that clients run. */
export class Executions {
  readonly #parts: ExecutionsParts
  readonly #keyed: KeyedCalls<Execution>
  readonly #early: EarlyStops
  /** Those that run, by sandbox and id. */
  readonly #running = new Map<string, Map<string, Execution>>()
  /** Who looks at a sandbox. */
  readonly #watchers = new Map<string, Set<(execution: Execution) => void>>()

  constructor(parts: ExecutionsParts) {
    this.#parts = parts
    this.#keyed = new KeyedCalls(parts.keyTime)
    this.#early = new EarlyStops(parts.resumeTime)
  }

  /**
   * Begins an execution, or gives the one that was begun with the same key.
   *
   * @throws {ServiceProblem} where the key was that of another request
   */
  async begin(request: ExecutionRequest): Promise<Execution> {
    const { principal, id, key, digest } = request
    const sandbox = await this.#parts.sandboxes.use(principal, id)
    if (key === undefined) return this.#start(sandbox, request, undefined)
    const name = keyOf(request, key)
    const { call } = this.#keyed.once(name, digest, () => this.#start(sandbox, request, name))
    return call
  }

  /**
   * Waits for what a client asked for; without it, and without a key that it could come back with, the execution is stopped.
   *
   * @param gone - tells when the client is gone.
   */
  async attend(execution: Execution, { key }: ExecutionRequest, gone: Gone): Promise<void> {
    const leave = execution.attend()
    const left = () => {
      leave()
      this.#abandoned(execution, key === undefined ? 0 : this.#parts.resumeTime)
    }
    const unwatch = gone.watch(left)
    try {
      await execution.ended()
    } finally {
      unwatch()
      leave()
    }
  }

  /**
   * Stops an execution. What does not run is stopped when it comes, with this key and within `resumeTime`.
   *
   * @param key - of the call, or the id of the execution
   * @returns what there was: one that runs, one that had ended, or none
   */
  stop(principal: Principal, id: string, key: string): 'running' | 'ended' | 'unknown' {
    const name = keyOf({ principal, id }, key)
    const execution = this.#keyed.get(name) ?? this.#running.get(id)?.get(key)
    if (execution === undefined) {
      if (!isKey(key) || this.#keyed.has(name) || this.#parts.timeline.get(id, key) !== undefined)
        return 'ended'
      this.#early.add(name)
      return 'unknown'
    }
    if (execution.outcome !== undefined) return 'ended'
    execution.stop(stopReason)
    return 'running'
  }

  /** Those of a sandbox that run now. */
  runningIn(id: string): readonly Execution[] {
    return [...(this.#running.get(id)?.values() ?? [])]
  }

  /** Calls `tell` with each execution of a sandbox that begins. While somebody watches, output comes as it is written. */
  watch(id: string, tell: (execution: Execution) => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set()
    this.#watchers.set(id, watchers)
    watchers.add(tell)
    return () => {
      watchers.delete(tell)
      if (watchers.size === 0) this.#watchers.delete(id)
    }
  }

  #start(sandbox: HostedSandbox, request: ExecutionRequest, name: string | undefined): Execution {
    const { principal, id, body } = request
    const tenure = this.#parts.ownership?.enter(id)
    const secrets = Object.values(body.secretEnv ?? {})
    const isCode = 'code' in body
    const labels = this.#parts.sandboxes.labelsOf(id) ?? {}
    const execution = new Execution({
      id: randomUUID(),
      sandbox: id,
      by: principal.name,
      command: masked(isCode ? body.code : body.command, secrets).slice(0, mostShown),
      language: isCode ? body.language : undefined,
      secrets,
      onChange: (changed) => this.#changed(changed, labels, name),
    })
    const running = this.#running.get(id) ?? new Map<string, Execution>()
    this.#running.set(id, running)
    running.set(execution.id, execution)
    if (name !== undefined && this.#early.take(name)) execution.stop(stopReason)
    this.#run(execution, sandbox, request, tenure)
    return execution
  }

  /** Of its own, so that nothing of an execution that is remembered holds the body of its request. */
  #run(
    execution: Execution,
    sandbox: HostedSandbox,
    { id, body, isStream }: ExecutionRequest,
    tenure: Tenure | undefined,
  ): void {
    const streams = isStream || this.#watchers.has(id)
    const settle = () => this.#parts.sandboxes.settle(sandbox)
    const run = streams
      ? execution.stream((signal) => {
          const options = optionsOf(body, signal)
          const events =
            'code' in body
              ? sandbox.executeCodeStreaming(body.code, body.language, options)
              : sandbox.executeStreaming(body.command, options)
          return confirmed(events, settle, tenure)
        })
      : execution.run(async (signal) => {
          const options = optionsOf(body, signal)
          try {
            const result = await ('code' in body
              ? sandbox.executeCode(body.code, body.language, options)
              : sandbox.execute(body.command, options))
            await settle()
            return result
          } finally {
            await tenure?.confirm()
          }
        })
    run
      .catch((error: unknown) => this.#parts.log(`An execution failed: ${String(error)}`))
      .finally(() => tenure?.leave())
  }

  /** @param labels - of its sandbox, as {@link Sandboxes.labelsOf} gave them. */
  #changed(execution: Execution, labels: Labels, name: string | undefined): void {
    const { feed, timeline, sandboxes } = this.#parts
    const { data, sandbox, id } = execution
    const hasEnded = execution.outcome !== undefined
    // A sandbox that was closed has no timeline, and a later one with its id has another.
    if (sandboxes.labelsOf(sandbox) === labels) timeline.put(data)
    const kind = hasEnded ? 'executionEnded' : 'executionStarted'
    const memory = hasEnded ? sandboxes.memoryOf(sandbox) : {}
    feed.add({ kind, time: Date.now(), id: sandbox, execution: told(data), ...memory }, labels)
    if (!hasEnded) {
      for (const tell of this.#watchers.get(sandbox) ?? []) tell(execution)
      return
    }
    const running = this.#running.get(sandbox)
    running?.delete(id)
    if (running?.size === 0) this.#running.delete(sandbox)
    if (name === undefined) return
    if (saysLater(execution.outcome?.problem)) {
      this.#keyed.neverBegan(name)
      return
    }
    const bytes = execution.events.reduce((sum, event) => sum + event.data.length, 0)
    this.#keyed.ended(name, bytes)
  }

  /** Stops an execution that no client has come back to for some seconds. */
  #abandoned(execution: Execution, seconds: number): void {
    const { arrivals } = execution
    const stop = () => {
      const isAlone = execution.attended === 0 && execution.arrivals === arrivals
      if (execution.outcome === undefined && isAlone) execution.stop('Its client is gone.')
    }
    if (seconds === 0) {
      stop()
      return
    }
    const timer = setTimeout(stop, seconds * 1000).unref()
    void execution.ended().then(() => clearTimeout(timer))
  }
}

/** What an event tells of an execution. */
function told(data: ExecutionData): ExecutionData {
  const { stdout, stderr } = data
  if (stdout.length <= mostTold && stderr.length <= mostTold) return data
  return { ...data, stdout: stdout.slice(-mostTold), stderr: stderr.slice(-mostTold) }
}

/** The events of a command, whose result comes when it may be told. */
async function* confirmed(
  events: AsyncIterable<ExecutionEvent>,
  settle: () => Promise<void>,
  tenure: Tenure | undefined,
): AsyncGenerator<ExecutionEvent, void> {
  let result: ExecutionResult | undefined
  try {
    for await (const event of events) {
      if (event.type === 'executionResult') result = event
      else yield event
    }
    if (result !== undefined) await settle()
  } finally {
    await tenure?.confirm()
  }
  if (result !== undefined) yield result
}

function keyOf({ principal, id }: Pick<ExecutionRequest, 'principal' | 'id'>, key: string): string {
  return `${principal.keys}#${id}#${key}`
}

function optionsOf(body: CommandBody | CodeBody, signal: AbortSignal): ExecuteOptions {
  const { timeout, cwd, env, secretEnv, stdin } = body
  const input = typeof stdin === 'object' ? Buffer.from(stdin.base64, 'base64') : stdin
  return { timeout, cwd, env, secretEnv, stdin: input, signal }
}

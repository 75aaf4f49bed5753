import * as v from 'valibot'
import type { WebSocket } from 'ws'
import { clearInterval, setInterval } from '../async/clock.ts'
import { chunkSchema } from '../protocol/execution-schemas.ts'
import {
  type TerminalEvent,
  type TerminalRequest,
  terminalRequestSchema,
} from '../protocol/terminal-schemas.ts'
import type { Execution } from './execution.ts'
import type { Executions } from './executions.ts'
import { MaskedOutput } from './masked-output.ts'
import { type Principal, requireRate, requireScope } from './principals.ts'
import type { Sandboxes } from './sandboxes.ts'
import { internalProblem, problemFor, ServiceProblem } from './service-problem.ts'
import { idOfKey } from './tenant-ids.ts'

/** Bytes that wait for a client before it is sent no more output. */
const mostAhead = 2 ** 20
/** Bytes that wait for a client; one that takes no more is let go. */
const mostWaiting = 8 * 2 ** 20
/** Milliseconds between two looks at whether the client is there. */
const pingTime = 30_000
/** Commands of one terminal that run or wait, at most. */
const mostRunning = 16

const streamTypes = ['stdout', 'stderr'] as const

/** What a terminal is opened with. */
interface TerminalOptions {
  readonly socket: WebSocket
  readonly principal: Principal
  /** The key of the sandbox. */
  readonly id: string
  readonly sandboxes: Sandboxes
  readonly executions: Executions
  readonly log: (line: string) => void
}

/** Shows what runs in a sandbox, and runs commands in it, for one client. */
export class Terminal {
  readonly #options: TerminalOptions
  /** Executions that are shown, each with what sends more of it, and what stops that. */
  readonly #shown = new Map<string, { readonly send: () => void; readonly stop: () => void }>()
  /** What its client calls the sandbox. */
  readonly #sandbox: string
  #mine = 0
  #isThere = true

  constructor(options: TerminalOptions) {
    this.#options = options
    this.#sandbox = idOfKey(options.principal.tenant, options.id)
    const { socket, principal, id, sandboxes, executions } = options
    // A later sandbox with this id may be somebody else's.
    const unwatchRemovals = sandboxes.watchRemovals((removed) => {
      if (removed === id) socket.close(1000, 'The sandbox was closed.')
    })
    const unwatch = executions.watch(id, (execution) => this.#show(execution))
    const ping = setInterval(() => this.#ping(), pingTime)
    socket.on('pong', () => {
      this.#isThere = true
    })
    socket.on('close', () => {
      unwatch()
      unwatchRemovals()
      clearInterval(ping)
      for (const { stop } of this.#shown.values()) stop()
      this.#shown.clear()
    })
    socket.on('error', () => socket.terminate())
    socket.on('message', (data, isBinary) => void this.#take(isBinary ? '' : String(data)))
    this.#send({ type: 'ready', sandbox: this.#sandbox, mayRun: principal.scopes.has('operate') })
    for (const execution of executions.runningIn(id)) this.#show(execution)
  }

  async #take(text: string): Promise<void> {
    const { socket, principal, id, executions, log } = this.#options
    if (socket.readyState !== socket.OPEN) return
    try {
      const request = requestOf(text)
      requireRate(principal)
      requireScope(principal, 'operate')
      if (request.type === 'stop') executions.stop(principal, id, request.execution)
      else await this.#run(request)
    } catch (error) {
      const known = problemFor(error)
      if (known === undefined) log(`A request of a terminal failed: ${String(error)}`)
      this.#send({ type: 'problem', problem: known?.problem ?? internalProblem() })
    }
  }

  async #run({ command, timeout }: Extract<TerminalRequest, { type: 'run' }>): Promise<void> {
    const { principal, id, executions } = this.#options
    if (this.#mine >= mostRunning)
      throw new ServiceProblem(
        'TOO_MANY_REQUESTS',
        `${mostRunning} commands of this terminal have not ended.`,
      )
    // Of its own: the command goes on where the terminal is closed.
    const load = principal.load.begin()
    this.#mine += 1
    try {
      load.add({ bytes: Buffer.byteLength(command) })
      const body = { command, ...(timeout === undefined ? {} : { timeout }) }
      const request = { principal, id, body, key: undefined, digest: '', isStream: true }
      const execution = await executions.begin(request)
      // What was begun goes on when the terminal is closed, as others may look at it.
      await execution.ended()
    } finally {
      this.#mine -= 1
      load.end()
    }
  }

  /** Sends what an execution gives, from its begin, as fast as the client takes it. */
  #show(execution: Execution): void {
    const { socket } = this.#options
    const { id, events } = execution
    if (socket.readyState !== socket.OPEN || this.#shown.has(id)) return
    this.#send({ type: 'started', execution: { ...execution.data, sandbox: this.#sandbox } })
    const output = {
      stdout: new MaskedOutput(execution.secrets),
      stderr: new MaskedOutput(execution.secrets),
    }
    let sent = 0
    const send = () => {
      while (socket.bufferedAmount < mostAhead) {
        const next = events[sent]
        if (next === undefined) break
        sent += 1
        if (next.event !== 'output') continue
        const { streamType, data } = v.parse(chunkSchema, JSON.parse(next.data))
        this.#output(id, streamType, output[streamType].add(data))
      }
      if (execution.outcome === undefined || sent < events.length) return
      this.#shown.get(id)?.stop()
      this.#shown.delete(id)
      for (const streamType of streamTypes) this.#output(id, streamType, output[streamType].end())
      this.#send({ type: 'ended', execution: { ...execution.data, sandbox: this.#sandbox } })
    }
    this.#shown.set(id, { send, stop: execution.watch(send) })
    send()
  }

  #output(execution: string, streamType: (typeof streamTypes)[number], data: string): void {
    if (data !== '') this.#send({ type: 'output', execution, streamType, data })
  }

  #send(event: TerminalEvent): void {
    const { socket } = this.#options
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > mostWaiting) {
      socket.terminate()
      return
    }
    socket.send(JSON.stringify(event), () => {
      for (const { send } of [...this.#shown.values()]) send()
    })
  }

  #ping(): void {
    const { socket } = this.#options
    if (!this.#isThere) {
      socket.terminate()
      return
    }
    this.#isThere = false
    socket.ping()
  }
}

function requestOf(text: string): TerminalRequest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // What its text was is the client's to know.
    throw new ServiceProblem('INVALID_REQUEST', 'A message to a terminal must be JSON.')
  }
  const { success, output } = v.safeParse(terminalRequestSchema, value, { abortEarly: true })
  if (success) return output
  throw new ServiceProblem(
    'INVALID_REQUEST',
    'A message to a terminal must be { type: "run", command } or { type: "stop", execution }.',
  )
}

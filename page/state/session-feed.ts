import { signal } from '@preact/signals'
import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'
import type { ServiceEvent } from '../../src/protocol/service-events.ts'
import type { TerminalEvent } from '../../src/protocol/terminal-schemas.ts'
import { EventStream } from '../service/event-stream.ts'
import { type ServiceClient, ServiceError, sandboxPath } from '../service/service-client.ts'
import { TerminalSocket } from '../service/terminal-socket.ts'

/** The kinds of events that a timeline shows besides commands. */
const KINDS = [
  'egress',
  'egressEnd',
  'policy',
  'file',
  'conflict',
  'opened',
  'reopened',
  'woken',
  'lost',
  'hibernated',
  'storeFailed',
  'rejected',
] as const satisfies readonly ServiceEvent['kind'][]

/** An event of a timeline. */
export type TimelineEvent = Extract<ServiceEvent, { readonly kind: (typeof KINDS)[number] }>

/** Milliseconds between two changes of what is shown. */
const showTime = 200
/** Executions, events, and characters of the output of a command that are kept, at most. */
const mostExecutions = 100
const mostEvents = 500
const mostText = 16_384

/** What happens in one sandbox, as it happens. */
export class SessionFeed {
  readonly id: string
  /** The oldest first. */
  readonly executions = signal<readonly ExecutionData[]>([])
  /** The oldest first, each with its number. */
  readonly events = signal<readonly { readonly number: number; readonly event: TimelineEvent }[]>([])
  /** Whether output comes as it is written, and commands can be run. */
  readonly isLive = signal(false)
  /** Counts how often the executions were read. */
  readonly reads = signal(0)
  readonly #client: ServiceClient
  readonly #stream: EventStream
  readonly #socket: TerminalSocket
  readonly #listeners = new Set<(event: TerminalEvent) => void>()
  readonly #byId = new Map<string, ExecutionData>()
  #heard: { readonly number: number; readonly event: TimelineEvent }[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(client: ServiceClient, id: string) {
    this.id = id
    this.#client = client
    this.#stream = new EventStream({
      client,
      path: `${sandboxPath(id)}/events?kinds=${KINDS.join(',')}`,
      after: 0,
      onFresh: () => undefined,
      onEvents: (events) => {
        for (const { id: number, event, data } of events) {
          if (number !== undefined && event !== 'gap') this.#heard.push({ number, event: JSON.parse(data) })
        }
        this.#heard = this.#heard.slice(-mostEvents)
        this.#schedule()
      },
    })
    this.#socket = new TerminalSocket({
      client,
      id,
      onEvent: (event) => this.#take(event),
      onState: (isOpen) => {
        this.isLive.value = isOpen
      },
    })
  }

  /** Runs a command. @returns false where there is no connection: it was not sent */
  run(command: string): boolean {
    return this.#socket.send({ type: 'run', command })
  }

  /** Stops a command. @throws {ServiceError} */
  stop(execution: string): Promise<void> {
    return this.#client.stop(this.id, execution)
  }

  /** The executions as they are now: {@link executions} follows a moment later. */
  latest(): readonly ExecutionData[] {
    this.#show()
    return this.executions.peek()
  }

  /** Calls `tell` with what the terminal is told. @returns how to stop */
  listen(tell: (event: TerminalEvent) => void): () => void {
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }

  close(): void {
    this.#isClosed = true
    this.#stream.close()
    this.#socket.close()
    clearTimeout(this.#timer)
  }

  #take(event: TerminalEvent): void {
    if (event.type === 'ready') {
      // Commands that still run are told again.
      this.#byId.clear()
      void this.#read()
    }
    if (event.type === 'started') this.#put({ ...event.execution, stdout: '', stderr: '' })
    if (event.type === 'ended') this.#put(event.execution)
    if (event.type === 'output') this.#output(event)
    for (const tell of this.#listeners) tell(event)
  }

  #output({ execution, streamType, data }: Extract<TerminalEvent, { readonly type: 'output' }>): void {
    const known = this.#byId.get(execution)
    if (known === undefined) return
    const whole = known[streamType] + data
    this.#put({
      ...known,
      [streamType]: whole.slice(-mostText),
      cut: known.cut || whole.length > mostText,
    })
  }

  #put(execution: ExecutionData): void {
    this.#byId.set(execution.id, execution)
    this.#schedule()
  }

  /** Reads what the service remembers. What was told since is newer. */
  async #read(): Promise<void> {
    try {
      const read = await this.#client.executions(this.id)
      for (const execution of read) {
        if (!this.#byId.has(execution.id)) this.#byId.set(execution.id, execution)
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // The next connection of the terminal reads them.
      return
    }
    if (this.#isClosed) return
    this.#show()
    this.reads.value += 1
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#show(), showTime)
  }

  #show(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const executions = [...this.#byId.values()].sort((one, other) => one.startedAt - other.startedAt)
    for (const { id } of executions.splice(0, Math.max(0, executions.length - mostExecutions)))
      this.#byId.delete(id)
    this.executions.value = executions
    if (this.events.value.at(-1)?.number !== this.#heard.at(-1)?.number) this.events.value = [...this.#heard]
  }
}

import { onTestFinished, vi } from 'vitest'
import type { ExecutionData } from '../../../src/protocol/execution-schemas.ts'
import type { SandboxData } from '../../../src/protocol/sandbox-schemas.ts'
import type { ServerSentEvent } from '../../../src/protocol/server-sent-events.ts'
import { encodeEvent } from '../../../src/protocol/server-sent-events.ts'
import type { TerminalEvent } from '../../../src/protocol/terminal-schemas.ts'

/** A service in memory that the page reaches by `fetch` and `WebSocket`, with a clock that waiting moves. */
export class FakeService {
  /** Names its process. */
  instance = 'one'
  sandboxes: readonly SandboxData[] = []
  executions: readonly ExecutionData[] = []
  /** What requests for events and lists are refused with. */
  refusal: { readonly status: number; readonly code: string } | undefined
  /** The path of each request, and the number of the last event that it names. */
  readonly requests: { readonly path: string; readonly after: string | null }[] = []
  /** Terminals that were opened. */
  readonly terminals: FakeSocket[] = []
  /** What the answers to lists wait for. */
  listed: Promise<void> = Promise.resolve()
  readonly #streams = new Set<ReadableStreamDefaultController<Uint8Array>>()

  /** Stands for the service that the page comes from until the test's end. */
  constructor() {
    vi.useFakeTimers()
    const { terminals } = this
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => this.#answer(path, init))
    vi.stubGlobal('location', { href: 'http://127.0.0.1:7300/' })
    vi.stubGlobal('document', { hidden: false })
    vi.stubGlobal(
      'WebSocket',
      class extends FakeSocket {
        constructor() {
          super()
          terminals.push(this)
        }
      },
    )
    onTestFinished(() => {
      vi.unstubAllGlobals()
      vi.useRealTimers()
    })
  }

  /** Requests for lists of sandboxes. */
  get reads(): number {
    return this.requests.filter(({ path }) => path.startsWith('/v1/sandboxes?')).length
  }

  /** Requests for streams of events. */
  get connections(): readonly (string | null)[] {
    return this.requests.filter(({ path }) => /events\?/.test(path)).map(({ after }) => after)
  }

  /** How many streams are open. */
  get open(): number {
    return this.#streams.size
  }

  /** Tells events on every stream. */
  tell(...events: readonly Pick<ServerSentEvent, 'id' | 'event' | 'data'>[]): void {
    const bytes = new TextEncoder().encode(events.map(encodeEvent).join(''))
    for (const stream of this.#streams) stream.enqueue(bytes)
  }

  /** Ends every stream. */
  cut(): void {
    for (const stream of this.#streams) stream.close()
    this.#streams.clear()
  }

  async #answer(path: string, { headers, signal }: RequestInit): Promise<Response> {
    this.requests.push({ path, after: new Headers(headers).get('last-event-id') })
    if (this.refusal !== undefined) {
      const { status, code } = this.refusal
      const problem = { 'content-type': 'application/problem+json' }
      return new Response(JSON.stringify({ code, detail: code }), { status, headers: problem })
    }
    if (/events\?/.test(path)) {
      const streams = this.#streams
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.add(controller)
          signal?.addEventListener('abort', () => streams.delete(controller) && controller.close())
        },
      })
      return new Response(body, { headers: { 'strands-instance': this.instance } })
    }
    if (path.startsWith('/v1/sandboxes?')) {
      const { sandboxes } = this
      await this.listed
      const query = new URLSearchParams(path.split('?')[1])
      const behind = sandboxes.filter(({ id }) => id > (query.get('after') ?? ''))
      const page = behind.slice(0, Number(query.get('limit')))
      return Response.json({
        sandboxes: page,
        ...(behind.length > page.length ? { next: page.at(-1)?.id } : {}),
      })
    }
    return Response.json({ executions: this.executions, calls: 0, errors: {} })
  }
}

/** A web socket whose other end is the test. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  readyState = 0

  /** The service opens it. */
  accept(): void {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }

  tell(event: TerminalEvent): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }))
  }

  send(): void {
    // Nobody takes it.
  }

  close(): void {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
}

/** A sandbox as lists have it. */
export function sandboxOf(id: string, more: Partial<SandboxData> = {}): SandboxData {
  return {
    ...{
      id,
      template: 'default',
      shell: 'bash',
      labels: {},
      createdAt: 0,
      status: 'open',
      generation: 1,
      pending: 0,
    },
    ...more,
  }
}

/** An execution as timelines have it. */
export function executionOf(id: string, more: Partial<ExecutionData> = {}): ExecutionData {
  return {
    ...{
      id,
      sandbox: 's',
      by: 'me',
      command: 'true',
      startedAt: 0,
      state: 'running',
      stdout: '',
      stderr: '',
    },
    cut: false,
    ...more,
  }
}

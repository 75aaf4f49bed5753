import type { ServerResponse } from 'node:http'
import { clearTimeout, setTimeout } from '../async/clock.ts'
import { PING } from '../protocol/server-sent-events.ts'
import type { AnswerHeaders } from './route.ts'

/** Milliseconds without an event after which a line says that the connection is there. */
const pingTime = 15_000
/** Milliseconds that a client may take nothing of what was sent. */
export const stallTime = 60_000

/** What is written to a client as it comes. */
export interface EventSource {
  /** The text of the next events; undefined where there is none yet. */
  next(): string | undefined
  /** Whether no further event comes. */
  readonly isOver: boolean
  /** Calls `tell` when there may be more. @returns how to stop */
  watch(tell: () => void): () => void
}

/**
 * Writes events as fast as the client takes them, until there are no more or the client is gone. One that takes nothing for a
 * minute is let go.
 */
export async function writeEvents(
  response: ServerResponse,
  source: EventSource,
  { headers, gone }: { readonly headers: AnswerHeaders; readonly gone: AbortSignal },
): Promise<void> {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  const news = new News(gone)
  const unwatch = source.watch(() => news.tell())
  const drained = () => news.tell()
  response.on('drain', drained)
  try {
    while (!gone.aborted) {
      const text = source.next()
      if (text !== undefined) {
        if (response.write(text)) continue
        if (!(await news.until(() => !response.writableNeedDrain, stallTime))) response.destroy()
        continue
      }
      if (source.isOver) break
      if (!(await news.until(() => true, pingTime)) && !gone.aborted) response.write(PING)
    }
  } finally {
    unwatch()
    response.off('drain', drained)
    news.end()
    response.end()
  }
}

/** Wakes one who waits. */
class News {
  readonly #gone: AbortSignal
  readonly #tell = () => this.tell()
  #wake: (() => void) | undefined
  #isThere = false

  constructor(gone: AbortSignal) {
    this.#gone = gone
    gone.addEventListener('abort', this.#tell)
  }

  tell(): void {
    this.#isThere = true
    this.#wake?.()
  }

  /** Waits for news with which something holds. False: the time has passed. */
  async until(holds: () => boolean, milliseconds: number): Promise<boolean> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#wake?.()
    }, milliseconds)
    try {
      while (!isLate && !this.#gone.aborted) {
        if (this.#isThere && holds()) return true
        this.#isThere = false
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      return !isLate
    } finally {
      clearTimeout(timer)
      this.#isThere = false
      this.#wake = undefined
    }
  }

  end(): void {
    this.#gone.removeEventListener('abort', this.#tell)
  }
}

import {
  type EgressEndSignal,
  type EgressSignal,
  LONGEST_TOLD_URL,
} from '../../../../src/contract/signals.ts'
import type { HttpAnswer } from './exchange.ts'
import { RequestFailure, shownUrl, UntoldRefusal } from './failure.ts'
import type { Connection, Route } from './route.ts'

/** Takes what is told of requests. */
export type TellEgress = (signal: EgressSignal | EgressEndSignal) => void

/** One request, as its host is told of it: whether it may go out, and how it has ended. */
export class ToldRequest {
  readonly #tell: TellEgress
  readonly #about: { readonly method: string; readonly url: string }
  readonly #sent: number
  readonly #isTold: boolean
  readonly #start = performance.now()
  #allowed = false

  constructor(
    tell: TellEgress,
    route: Route,
    {
      url,
      method,
      body,
    }: { readonly url: URL; readonly method: string; readonly body: Uint8Array | undefined },
  ) {
    this.#tell = tell
    this.#about = { method, url: shownUrl(url).slice(0, LONGEST_TOLD_URL) }
    this.#sent = body?.byteLength ?? 0
    this.#isTold = route.isTold
  }

  /** It has a connection. */
  allowed({ address }: Connection): void {
    this.#allowed = true
    if (this.#isTold) return
    this.#tell({
      kind: 'egress',
      ...this.#about,
      allowed: true,
      ...(address === undefined ? {} : { address }),
    })
  }

  ended({ status, body }: HttpAnswer): void {
    if (!this.#isTold) this.#tell({ ...this.#end(body.byteLength), status })
  }

  failed(error: unknown): void {
    const reason = error instanceof RequestFailure ? error.reason : 'ORIGIN_FAILED'
    if (this.#allowed) {
      if (!this.#isTold) this.#tell({ ...this.#end(0), reason })
      return
    }
    if (!this.#isTold || error instanceof UntoldRefusal)
      this.#tell({ kind: 'egress', ...this.#about, allowed: false, reason })
  }

  #end(received: number): EgressEndSignal {
    const duration = (performance.now() - this.#start) / 1000
    return { kind: 'egressEnd', ...this.#about, sent: this.#sent, received, duration }
  }
}

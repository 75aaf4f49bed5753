import type { Endpoint } from '../../contract/endpoint.ts'
import type { LossData } from '../../contract/errors.ts'
import { SandboxClosedError, type SandboxError } from '../../sandbox/errors.ts'
import { lossError } from '../../sandbox/loss-error.ts'
import type { Place, Retirement } from '../place.ts'

/** What a lane does in its cell. */
export interface LaneOrders {
  /** The lane has retired: the cell is to end its lease. */
  retire(how: Required<Retirement>): void
  /** A call of the lease is to stop. */
  interrupt(call: number): void
  /** No native call of the lease is in flight. */
  release(): void
}

/** One lease of a cell as its host sees it, from the order to open it until its last native call has settled. */
export class CellLane {
  /** Resolves with the place when the cell has built it. @throws what {@link CellLane.refuse} is given */
  readonly opened: Promise<Place>
  /** Never resolves; rejects where the lease cannot be opened any more. */
  readonly refused: Promise<never>
  /** The other end of its port, which a channel reads once it is open. */
  readonly far: Endpoint
  readonly #port: Endpoint
  readonly #orders: LaneOrders
  readonly #onLost = new Set<(loss: LossData) => void>()
  #state: 'held' | 'retired' = 'held'
  #isOpen = false
  #loss: LossData | undefined
  #resolve: ((place: Place) => void) | undefined
  #reject: ((error: Error) => void) | undefined

  /**
   * @param port - the end that its holder has.
   * @param far - the end that is the cell's.
   */
  constructor(port: Endpoint, far: Endpoint, orders: LaneOrders) {
    this.#port = port
    this.far = far
    this.#orders = orders
    this.opened = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.refused = this.opened.then(() => new Promise<never>(() => undefined))
    this.refused.catch(() => undefined) // Whoever opens waits for one of the two.
  }

  /** `retired`: nobody uses it any more, and its native call may still run. */
  get state(): 'held' | 'retired' {
    return this.#state
  }

  /** True once the cell has built its shell. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  open({ timeout, allowance, capabilities }: Pick<Place, 'timeout' | 'allowance' | 'capabilities'>): void {
    this.#isOpen = true
    this.#resolve?.({
      endpoint: this.#port,
      timeout,
      allowance,
      capabilities,
      onLost: (listener) => {
        if (this.#loss === undefined) this.#onLost.add(listener)
        else listener(this.#loss)
      },
      release: () => {
        if (this.#state === 'held') this.#orders.release()
      },
      interrupt: (call) => {
        if (this.#state === 'held') this.#orders.interrupt(call)
      },
      isBusy: () => this.#state === 'retired',
      retire: (how) => this.retire(how),
    })
  }

  /** The cell could not open it, and holds nothing of it. */
  refuse(error: SandboxError): void {
    this.#state = 'retired'
    this.#port.close()
    this.#reject?.(error)
  }

  retire({ suspect = false, end = false }: Retirement = {}): void {
    if (this.#state === 'retired') return
    this.#state = 'retired'
    this.#port.close()
    this.#reject?.(new SandboxClosedError('The sandbox was closed while it opened.'))
    this.#orders.retire({ suspect, end })
  }

  /** The session is lost: its worker has ended, or the cell. */
  lose(loss: LossData): void {
    if (this.#loss !== undefined) return
    this.#loss = loss
    this.#reject?.(lossError(loss, `The cell ended while it opened the sandbox: ${loss.message}`))
    for (const listener of this.#onLost) listener(loss)
  }
}

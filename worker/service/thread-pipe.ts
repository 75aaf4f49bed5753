import { Socket } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import { CellChannel } from '../../src/channel/cell-channel.ts'
import { ContentReader } from '../../src/channel/content-reader.ts'
import { joinedPorts } from '../../src/channel/joined-ports.ts'
import { CELL_CONTENTS_FD, CELL_THREADS_FD } from '../../src/contract/cell.ts'
import type { ThreadNews } from '../../src/contract/cell-messages.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'

/** The pipe from this thread of a cell to its host. Leases of the thread have their lanes on it. */
export class ThreadPipe {
  readonly number: number
  readonly #channel: CellChannel
  /** Ends of lanes that the host does not read yet. What is sent on them waits. */
  readonly #waiting = new Map<number, Endpoint>()

  /** @param number - which of the cell's pipes it is. */
  constructor(number: number) {
    this.number = number
    this.#channel = new CellChannel(
      new Socket({ fd: CELL_THREADS_FD + number }),
      {
        onControl: (order) => this.#join(order),
        onLaneBroken: (lane, { message }) =>
          this.#tell({ kind: 'lost', lane, loss: { code: 'PROTOCOL', message } }),
        onBroken: () => undefined, // Its lanes were closed: their leases end.
      },
      { reader: new ContentReader(CELL_CONTENTS_FD) },
    )
  }

  /**
   * This thread's end of a lane.
   *
   * @param port - the lease's: closing one of the two closes the other.
   */
  lane(lane: number, port: MessagePort): Endpoint {
    const { near, far } = joinedPorts()
    this.#waiting.set(lane, far)
    near.on('close', () => port.close())
    port.on('close', () => {
      this.#waiting.delete(lane)
      near.close()
    })
    return near
  }

  #join(order: unknown): void {
    const lane: unknown = typeof order === 'object' && order !== null ? Reflect.get(order, 'join') : undefined
    if (typeof lane !== 'number') return
    const port = this.#waiting.get(lane)
    this.#waiting.delete(lane)
    if (port !== undefined) this.#channel.bridge(lane, port)
    else this.#closeLane(lane)
  }

  /** Its lease has ended before the host has read it. */
  #closeLane(lane: number): void {
    const { near, far } = joinedPorts()
    this.#channel.bridge(lane, far)
    near.close()
  }

  #tell(news: ThreadNews): void {
    this.#channel.sendControl(news)
  }
}

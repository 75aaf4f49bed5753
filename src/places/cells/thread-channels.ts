import type { Socket } from 'node:net'
import { CellChannel, type ChannelEnd, type ChannelListeners } from '../../channel/cell-channel.ts'
import type { ContentFile } from '../../channel/content-file.ts'
import type { JoinOrder } from '../../contract/cell-messages.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

/** What the pipes of a cell's threads tell. */
export interface ThreadListeners extends Omit<ChannelListeners, 'onBroken'> {
  /** A pipe has ended: its lanes were closed. */
  readonly onEnd: (end: ChannelEnd) => void
}

/**
 * The pipes between a host and the threads of one cell. Calls on them do not pass the main thread of the cell, which each
 * would wake twice. A pipe costs its descriptor until its thread has a lease.
 */
export class ThreadChannels {
  readonly #pipes: readonly Socket[]
  readonly #channels = new Map<number, CellChannel>()
  readonly #listeners: ThreadListeners
  readonly #contents: ContentFile | undefined

  /**
   * @param pipes - nobody listens to them.
   * @param contents - what long contents cross by.
   */
  constructor(pipes: readonly Socket[], listeners: ThreadListeners, contents?: ContentFile) {
    this.#pipes = pipes
    this.#listeners = listeners
    this.#contents = contents
    for (const pipe of pipes) {
      pipe.unref()
      pipe.on('error', () => undefined) // Of one that is in use its channel tells.
    }
  }

  /** Joins a port to a lane of a thread. False: there is no such pipe. */
  bridge(pipe: number, lane: number, port: Endpoint): boolean {
    const channel = this.#channels.get(pipe) ?? this.#open(pipe)
    if (channel === undefined) return false
    channel.bridge(lane, port)
    channel.sendControl({ join: lane } satisfies JoinOrder)
    return true
  }

  close(): void {
    for (const channel of this.#channels.values()) channel.close()
    for (const pipe of this.#pipes) pipe.destroy()
  }

  #open(pipe: number): CellChannel | undefined {
    const socket = this.#pipes[pipe]
    if (socket === undefined) return undefined
    const { onEnd, ...listeners } = this.#listeners
    const channel = new CellChannel(
      socket,
      { ...listeners, onBroken: onEnd },
      { file: this.#contents?.share() },
    )
    // Its thread has ended before it was heard of.
    if (socket.destroyed || socket.readableEnded) channel.close()
    this.#channels.set(pipe, channel)
    return channel
  }
}

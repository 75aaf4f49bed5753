import type { Socket } from 'node:net'
import type { Endpoint } from '../contract/endpoint.ts'
import type { ContentShare } from './content-file.ts'
import type { ContentReader, ContentSource } from './content-reader.ts'
import { type Encoded, encode } from './encode.ts'
import { ChannelClosed, ProtocolBreach } from './errors.ts'
import { Inflow, type Received } from './inflow.ts'
import { Lane, type LaneEvents } from './lane.ts'
import { Outflow } from './outflow.ts'
import { CONTROL_LANE, MAX_LANE, PIECE_BYTES } from './wire.ts'

/** Why a channel ended: the far side broke the protocol, or went away. */
export type ChannelEnd = ProtocolBreach | ChannelClosed

/** What a channel tells its owner. None of these may throw. */
export interface ChannelListeners {
  /** Bytes that a control message of the far side may have. Default: as many as any other message. */
  readonly mostControlBytes?: number
  /** A control message came. Lanes it speaks of must be bridged before this returns: what comes next may be theirs. */
  readonly onControl: (message: unknown) => void
  /** A message of a bridged port cannot cross: the port was closed, on the far side too. */
  readonly onLaneBroken: (lane: number, error: ProtocolBreach) => void
  /** Told once, when the channel has ended by itself: every bridged port was closed. */
  readonly onBroken: (end: ChannelEnd) => void
}

/** What long contents cross by: a host has the file, its cell reads it. */
export interface ChannelContents {
  readonly file?: ContentShare | undefined
  readonly reader?: ContentReader | undefined
}

/**
 * Carries control messages and the messages of many `MessagePort`s between a host and its cell, alike on both sides,
 * over a pipe of their own. A bridged port behaves as if its other end were in the far process: messages keep their
 * order, buffers arrive as buffers of their own, closing one end closes the other.
 *
 * Long messages are cut into pieces that take turns. The far side is another process, which may be hostile: whatever it
 * sends is checked, and what is not of the protocol ends the channel.
 *
 * It keeps the process alive only after `ref`; on the host's side a caller that waits for a reply refs its own port.
 */
export class CellChannel {
  readonly #contents: ChannelContents
  readonly #socket: Socket
  readonly #listeners: ChannelListeners
  readonly #lanes = new Map<number, Lane>()
  readonly #inflow: Inflow
  readonly #outflow: Outflow
  #ended = false

  /**
   * @param socket - the pipe: `child.stdio[3]` of a host, `new Socket({ fd: CELL_CHANNEL_FD })` of a cell.
   * @param contents - the way of long contents beside it. Default: none.
   */
  constructor(socket: Socket, listeners: ChannelListeners, contents: ChannelContents = {}) {
    this.#socket = socket
    this.#listeners = listeners
    this.#contents = contents
    this.#outflow = new Outflow((chunks, bytes, done) => this.#write(chunks, bytes, done), contents.file)
    this.#inflow = new Inflow((lane) => this.#lanes.has(lane), listeners.mostControlBytes, this.#source())
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#break(new ChannelClosed(`The channel failed: ${error.message}`)))
    socket.on('end', () => this.#break(new ChannelClosed('The far side ended the channel.')))
    socket.on('close', () => this.#break(new ChannelClosed('The channel was closed.')))
    socket.unref()
  }

  /**
   * Sends plain data; it arrives before anything that is sent later on a lane. A no-op once the channel has ended.
   *
   * @throws ProtocolBreach - the message cannot cross: see `encode`.
   */
  sendControl(message: unknown): void {
    if (!this.#ended) this.#outflow.send(CONTROL_LANE, encode(message))
  }

  /**
   * Joins a port to the lane of that number; the far side does the same with a port of its own. From now on the port
   * is the channel's. Where the channel has ended the port is closed.
   *
   * @param lane - 1 to 2^32 - 1; a number is used once.
   */
  bridge(lane: number, port: Endpoint): void {
    if (!Number.isInteger(lane) || lane <= CONTROL_LANE || lane > MAX_LANE || this.#lanes.has(lane)) {
      throw new ProtocolBreach(`A lane has a number from 1 to ${MAX_LANE} of its own; this one has ${lane}.`)
    }
    if (this.#ended) {
      port.close()
      return
    }
    const lost = (error: ProtocolBreach) => {
      this.#endLane(lane)
      this.#outflow.close(lane)
      this.#listeners.onLaneBroken(lane, error)
    }
    const events: LaneEvents = {
      onMessage: (message) => {
        const encoded = encodeOr(message, lost)
        if (encoded === undefined) return
        if (encoded.spare !== undefined) this.#contents.reader?.reuse(encoded.spare)
        this.#outflow.send(lane, encoded)
      },
      onUnreadable: (cause) => lost(new ProtocolBreach('A message did not cross to this thread.', { cause })),
      onClosed: () => {
        this.#endLane(lane)
        this.#outflow.close(lane)
      },
    }
    this.#lanes.set(lane, new Lane(port, events))
  }

  /** Keeps the process alive. */
  ref(): void {
    if (!this.#ended) this.#socket.ref()
  }

  /** Lets the process exit, as it may from the start. */
  unref(): void {
    if (!this.#ended) this.#socket.unref()
  }

  /** Ends the channel: bridged ports are closed, what was not sent is lost. `onBroken` is not told. */
  close(): void {
    if (this.#ended) return
    this.#ended = true
    this.#outflow.clear()
    this.#socket.destroy()
    this.#contents.file?.end()
    for (const lane of [...this.#lanes.keys()]) this.#endLane(lane)
  }

  #break(end: ChannelEnd): void {
    if (this.#ended) return
    this.close()
    this.#listeners.onBroken(end)
  }

  #endLane(lane: number): void {
    this.#lanes.get(lane)?.close()
    this.#lanes.delete(lane)
    this.#inflow.drop(lane)
  }

  #receive(chunk: Buffer): void {
    this.#inflow.push(chunk)
    for (let received = this.#take(); received !== undefined; received = this.#take()) {
      if (received.kind === 'taken') continue
      const { lane } = received
      if (received.kind === 'close') {
        this.#endLane(lane)
        this.#outflow.drop(lane)
      } else if (lane === CONTROL_LANE) this.#listeners.onControl(received.message.value)
      else this.#lanes.get(lane)?.deliver(received.message)
    }
  }

  /** The far side has read its content. */
  #taken(): void {
    const { file } = this.#contents
    if (file === undefined) throw new ProtocolBreach('The far side took a content that it was not given.')
    file.taken()
  }

  #source(): ContentSource | undefined {
    const { reader } = this.#contents
    if (reader === undefined) return undefined
    const skip = () => this.#outflow.taken()
    const take = (bytes: number) => {
      const content = reader.read(bytes)
      skip()
      return content
    }
    return { take, skip }
  }

  #take(): Received | undefined {
    if (this.#ended) return undefined
    try {
      const received = this.#inflow.take()
      if (received?.kind === 'taken') this.#taken()
      return received
    } catch (error) {
      if (!(error instanceof ProtocolBreach)) throw error
      this.#break(error)
      return undefined
    }
  }

  /** Short chunks are cheaper to copy together than to hand over one by one. */
  #write(chunks: readonly Buffer[], bytes: number, done: () => void): void {
    const sent = (error?: Error | null) => {
      if (error === undefined || error === null) done()
    }
    if (bytes <= PIECE_BYTES) {
      this.#socket.write(Buffer.concat(chunks, bytes), sent)
      return
    }
    this.#socket.cork()
    for (const [index, chunk] of chunks.entries()) {
      if (index < chunks.length - 1) this.#socket.write(chunk)
      else this.#socket.write(chunk, sent)
    }
    this.#socket.uncork()
  }
}

function encodeOr(message: unknown, refused: (error: ProtocolBreach) => void): Encoded | undefined {
  try {
    return encode(message)
  } catch (error) {
    if (!(error instanceof ProtocolBreach)) throw error
    refused(error)
    return undefined
  }
}

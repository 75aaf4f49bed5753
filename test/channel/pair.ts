import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { CellChannel, type ChannelEnd } from '../../src/channel/cell-channel.ts'

/** Both ends of a pipe. */
export async function socketPair(): Promise<readonly [near: Socket, far: Socket]> {
  const folder = mkdtempSync(join(tmpdir(), 'channel-'))
  const server = createServer().listen(join(folder, 'pipe'))
  const accepted = once(server, 'connection')
  const far = connect(join(folder, 'pipe'))
  const [near] = await accepted
  server.close()
  rmSync(folder, { recursive: true })
  return [near, far]
}

/** A channel with lane 1 bridged, and the bare far end of its pipe. */
export class Pair {
  readonly channel: CellChannel
  readonly far: Socket
  /** The end of lane 1 that a user holds. */
  readonly port: MessagePort
  readonly portClosed: Promise<unknown>
  /** Control messages and what came on lane 1. */
  readonly received: unknown[] = []
  readonly ends: ChannelEnd[] = []

  private constructor(near: Socket, far: Socket) {
    this.far = far
    far.on('error', () => undefined) // The channel cuts a hostile far side off in the middle of its writing.
    far.resume()
    this.channel = new CellChannel(near, {
      onControl: (message) => this.received.push(message),
      onLaneBroken: (_lane, error) => {
        throw error
      },
      onBroken: (end) => this.ends.push(end),
    })
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.portClosed = once(port1, 'close')
    port1.on('message', (message) => this.received.push(message))
    this.channel.bridge(1, port2)
  }

  static async make(): Promise<Pair> {
    return new Pair(...(await socketPair()))
  }

  end(): void {
    this.channel.close()
    this.far.destroy()
    this.port.close()
  }
}

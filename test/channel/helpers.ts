import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { CellChannel, type ChannelEnd } from '../../src/channel/cell-channel.ts'
import type { ProtocolBreach } from '../../src/channel/errors.ts'
import { program } from '../fixtures/program.ts'

/** What the host of a test tells its cell. */
export type Order =
  | {
      readonly kind: 'open'
      readonly lane: number
      readonly serve: 'echo' | 'worker' | 'share' | 'count' | 'close-after-one'
    }
  | { readonly kind: 'usage' }
  | { readonly kind: 'ping'; readonly number: number }

/** The built `children/echo-cell.ts`. */
export const echoCell = (): string => program('test/channel/children/echo-cell.ts')

/** A real child process that runs an echo cell, and the channel to it. */
export class TestCell {
  readonly child: ChildProcess
  readonly channel: CellChannel
  readonly socket: Socket
  readonly ends: ChannelEnd[] = []
  readonly brokenLanes: [lane: number, error: ProtocolBreach][] = []
  readonly exit: Promise<unknown>
  lastLane = 0
  readonly #waiting: { readonly key: string; readonly resolve: (message: object) => void }[] = []

  constructor(script: string) {
    this.child = spawn(process.execPath, [script], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    this.exit = once(this.child, 'exit')
    const socket = this.child.stdio[3]
    if (!(socket instanceof Socket)) throw new Error('The child has no channel.')
    this.socket = socket
    this.channel = new CellChannel(socket, {
      onControl: (message) => this.#onControl(message),
      onLaneBroken: (lane, error) => this.brokenLanes.push([lane, error]),
      onBroken: (end) => this.ends.push(end),
    })
  }

  /** The next control message with that key. */
  next(key: string): Promise<object> {
    return new Promise((resolve) => this.#waiting.push({ key, resolve }))
  }

  order(order: Order): void {
    this.channel.sendControl(order)
  }

  /** Opens a lane; returns this side's port. */
  open(serve: Extract<Order, { kind: 'open' }>['serve'] = 'echo'): MessagePort {
    this.lastLane += 1
    const { port1, port2 } = new MessageChannel()
    this.channel.bridge(this.lastLane, port2)
    this.order({ kind: 'open', lane: this.lastLane, serve })
    return port1
  }

  async end(): Promise<void> {
    this.channel.close()
    this.child.kill('SIGKILL')
    await this.exit
  }

  #onControl(message: unknown): void {
    if (typeof message !== 'object' || message === null) return
    const index = this.#waiting.findIndex(({ key }) => key in message)
    if (index < 0) return
    const [waiting] = this.#waiting.splice(index, 1)
    waiting?.resolve(message)
  }
}

/** Starts a cell and waits until it answers. */
export async function startCell(script = echoCell()): Promise<TestCell> {
  const cell = new TestCell(script)
  await cell.next('ready')
  return cell
}

/** The next `count` messages of a port. */
export function messages(port: MessagePort, count: number): Promise<unknown[]> {
  return new Promise((resolve) => {
    const received: unknown[] = []
    const listener = (message: unknown) => {
      received.push(message)
      if (received.length < count) return
      port.off('message', listener)
      resolve(received)
    }
    port.on('message', listener)
  })
}

/** Sends a message and waits for its echo. */
export async function echo(port: MessagePort, message: unknown): Promise<unknown> {
  const answer = messages(port, 1)
  port.postMessage(message)
  return (await answer)[0]
}

/** Milliseconds that each of many pings took until `end`, sorted. */
export async function pings(port: MessagePort, end: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let ended = false
  end.then(() => {
    ended = true
  })
  while (!ended) {
    const start = performance.now()
    await echo(port, 'ping')
    waits.push(performance.now() - start)
  }
  return waits.sort((a, b) => a - b)
}

/** The most memory that the cell's process has had, in bytes. */
export async function maxRss(cell: TestCell): Promise<number> {
  const answer = cell.next('maxRss')
  cell.order({ kind: 'usage' })
  return Number(Reflect.get(await answer, 'maxRss'))
}

import { Socket } from 'node:net'
import { MessageChannel, Worker } from 'node:worker_threads'
import { CellChannel } from '../../../src/channel/cell-channel.ts'
import { ProtocolBreach } from '../../../src/channel/errors.ts'
import { CELL_CHANNEL_FD } from '../../../src/contract/cell.ts'
import type { Order } from '../helpers.ts'

// A cell whose lanes echo what they get: from this thread, or from a worker of their own.

const inWorker = `
  const { parentPort } = require('node:worker_threads')
  parentPort.once('message', ({ port }) => port.on('message', (message) => {
    const bytes = message?.bytes
    port.postMessage(message, bytes instanceof Uint8Array ? [bytes.buffer] : [])
  }))
`

const channel = new CellChannel(new Socket({ fd: CELL_CHANNEL_FD, readable: true, writable: true }), {
  onControl: (message) => obey(message as Order),
  onLaneBroken: (lane, error) => channel.sendControl({ broken: lane, message: error.message }),
  onBroken: (end) => process.exit(end instanceof ProtocolBreach ? 3 : 0),
})
channel.ref()
channel.sendControl({ ready: process.pid })

function obey(order: Order): void {
  if (order.kind === 'open') {
    const { port1, port2 } = new MessageChannel()
    channel.bridge(order.lane, port1)
    if (order.serve === 'worker') {
      new Worker(inWorker, { eval: true }).postMessage({ port: port2 }, [port2])
    } else {
      let count = 0
      port2.on('message', (message: unknown) => {
        count += 1
        if (order.serve === 'share') port2.postMessage(new SharedArrayBuffer(8))
        else if (order.serve !== 'count') port2.postMessage(message, buffersOf(message))
        if (order.serve === 'close-after-one') port2.close()
      })
      port2.on('close', () => channel.sendControl({ closed: order.lane, count }))
    }
  } else if (order.kind === 'usage') channel.sendControl({ maxRss: process.resourceUsage().maxRSS * 1024 })
  else channel.sendControl(order)
}

/** The buffer of `bytes`, so that a long one is not copied while others wait. */
function buffersOf(message: unknown): ArrayBuffer[] {
  const bytes = typeof message === 'object' && message !== null ? Reflect.get(message, 'bytes') : undefined
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
}

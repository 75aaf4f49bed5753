import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What is between a client and a service, and can be cut. */
export interface Proxy {
  readonly url: string
  /** Connections that there are. */
  readonly connections: number
  /** Cuts every connection. */
  cut(): void
  /** Lets nobody in until it is told otherwise. */
  refuses: boolean
  /** Keeps what the service answers to itself, until it is told otherwise. */
  holdsAnswers: boolean
  /** Milliseconds that each piece takes, either way. */
  delay: number
}

/** Starts a proxy in front of a service, that the test's end closes. */
export async function startProxy(target: string): Promise<Proxy> {
  const { port } = new URL(target)
  const pairs = new Map<Socket, Socket>()
  const server = createServer((near) => {
    near.on('error', () => near.destroy())
    if (proxy.refuses) {
      near.destroy()
      return
    }
    const far = connect(Number(port), '127.0.0.1')
    pairs.set(near, far)
    far.on('error', () => near.destroy())
    const pass = (piece: Buffer, to: Socket) => {
      if (proxy.delay === 0) to.write(piece)
      else setTimeout(() => !to.destroyed && to.write(piece), proxy.delay)
    }
    near.on('data', (piece) => pass(piece, far))
    far.on('data', (piece) => {
      if (!proxy.holdsAnswers) pass(piece, near)
    })
    far.on('close', () => near.destroy())
    near.on('close', () => {
      pairs.delete(near)
      far.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const proxy = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    get connections() {
      return pairs.size
    },
    cut: () => {
      for (const near of pairs.keys()) near.destroy()
    },
    refuses: false,
    holdsAnswers: false,
    delay: 0,
  }
  onTestFinished(() => {
    proxy.cut()
    server.close()
  })
  return proxy
}

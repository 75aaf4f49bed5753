import { connect, createServer, type Server } from 'node:net'

/**
 * Listens on a port of 127.0.0.1 and joins each connection to a Unix socket: the way of a jail to the proxy of its host.
 *
 * @param port - 0 for any.
 * @returns the server, which listens
 */
export async function startRelay(port: number, socketPath: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const proxy = connect({ path: socketPath, allowHalfOpen: true })
    client.pipe(proxy).pipe(client)
    client.on('error', () => proxy.destroy()).on('close', () => proxy.destroySoon())
    proxy.on('error', () => client.destroy()).on('close', () => client.destroySoon())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  // What cannot be accepted fails at its client.
  return server.on('error', () => undefined)
}

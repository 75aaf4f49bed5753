import type { Socket } from 'node:net'
import { connect as startTls } from 'node:tls'
import { bareHost } from '../../../../src/allowlist/entry.ts'
import { RequestFailure, timedOut } from './failure.ts'

/**
 * Waits for an event of a socket; destroys one that fails, or that the signal ends first.
 *
 * @param failed - the error where it fails.
 */
export async function settled<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  failed: (error: Error | undefined) => RequestFailure,
): Promise<S> {
  let onAbort: (() => void) | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      onAbort = () => reject(timedOut())
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      socket.once(event, resolve)
      socket.on('error', (error) => reject(failed(error)))
      socket.once('close', () => reject(failed(undefined)))
    })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}

/** TLS to the host of an address over a connected socket, with its certificate checked. */
export function secured(
  socket: Socket,
  url: URL,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const host = bareHost(url.hostname)
  const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
  const tls = startTls({
    socket,
    host,
    ...name,
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca }),
  })
  return settled(tls, 'secureConnect', signal, (error) =>
    error === undefined
      ? new RequestFailure(35, `TLS connect error: ${host} broke off`, 'CONNECT_FAILED')
      : new RequestFailure(60, `SSL certificate problem: ${error.message}`, 'CONNECT_FAILED'),
  )
}

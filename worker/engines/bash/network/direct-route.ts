import { type LookupAddress, promises } from 'node:dns'
import { connect, isIP, type Socket } from 'node:net'
import { mayConnect } from '../../../../src/allowlist/addresses.ts'
import { bareHost, portOf } from '../../../../src/allowlist/entry.ts'
import { notAllowed, notConnected, notPublic, notResolved, timedOut } from './failure.ts'
import type { UrlPolicy } from './policy.ts'
import { type Route, targetOf } from './route.ts'
import { secured, settled } from './settled-socket.ts'

/** How hosts are found and reached. */
export interface NetworkAccess {
  /** Every address of a name. */
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>
  /** Starts a connection to one of these addresses, and to nothing else. */
  readonly connect: (addresses: readonly LookupAddress[], port: number) => Socket
  /** Certificates to trust, in PEM, instead of those that Node trusts. */
  readonly ca?: string | undefined
}

/** Milliseconds that an address has before the next one is tried. */
const ATTEMPT = 2000

/** The system's resolver, and TCP. Names are not looked up again: the addresses are all that Node is given. */
export const systemAccess: NetworkAccess = {
  resolve: (hostname) => promises.lookup(hostname, { all: true, verbatim: true }),
  connect: (addresses, port) =>
    connect({
      host: 'checked.invalid',
      port,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT,
      lookup: (_hostname, _options, done) => done(null, [...addresses]),
    }),
}

/** Straight to the hosts that a policy names, at addresses that they may have. */
export function directRoute(policy: UrlPolicy, { resolve, connect, ca }: NetworkAccess): Route {
  return {
    isTold: false,
    async open(url, signal) {
      if (policy.judge(url) !== 'allowed') throw notAllowed(url)
      const [hostname, port] = [bareHost(url.hostname), portOf(url)]
      const answers = await addressesOf(hostname, resolve, signal)
      const addresses = answers.filter(({ address }) => mayConnect(hostname, address))
      if (addresses.length === 0) throw answers.length === 0 ? notResolved(hostname) : notPublic(hostname)
      const socket = await settled(connect(addresses, port), 'connect', signal, () =>
        notConnected(hostname, port),
      )
      const ready = url.protocol === 'https:' ? await secured(socket, url, ca, signal) : socket
      const [first] = addresses
      return {
        socket: ready,
        target: targetOf(url),
        headers: [],
        ...(first === undefined ? {} : { address: first.address }),
      }
    },
    refusalIn: () => undefined,
  }
}

async function addressesOf(
  hostname: string,
  resolve: NetworkAccess['resolve'],
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const family = isIP(hostname)
  if (family !== 0) return [{ address: hostname, family }]
  let onAbort: (() => void) | undefined
  const ended = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(timedOut())
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
  })
  // A resolver's error says no more than that there is no address.
  const answer = resolve(hostname).catch(() => [])
  try {
    return await Promise.race([answer, ended])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}

import { type LookupAddress, promises } from 'node:dns'
import { connect, isIP, type Socket } from 'node:net'
import { mayConnect } from '../allowlist/addresses.ts'
import { clearTimeout, setTimeout } from '../async/clock.ts'
import { EgressRefusal } from './refusal.ts'
import type { EgressTarget } from './targets.ts'

/** Gives every address of a name, as `dns.lookup` does with `all`. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Starts a connection to one of these addresses, and to nothing else. */
export type Connect = (addresses: readonly LookupAddress[], port: number) => Socket

/** Milliseconds that an address has before the next one is tried. */
const ATTEMPT = 2000

/** Every address by the system's resolver, the hosts file included. */
export const resolveBySystem: Resolve = (hostname) => promises.lookup(hostname, { all: true, verbatim: true })

/** A TCP connection. Names are not looked up again: the addresses are all that Node is given. */
export const connectByTcp: Connect = (addresses, port) =>
  connect({
    host: 'checked.invalid',
    port,
    allowHalfOpen: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT,
    lookup: (_hostname, _options, done) => done(null, [...addresses]),
  })

/**
 * The addresses of a host that may be connected to.
 * @throws {EgressRefusal} `NAME_NOT_FOUND`, `PRIVATE_ADDRESS`, `CONNECT_TIMEOUT`
 */
export async function permittedAddresses(
  { hostname }: EgressTarget,
  resolve: Resolve,
  seconds: number,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const answers = await addressesOf(hostname, resolve, seconds)
  const [first, ...others] = answers.filter(({ address }) => mayConnect(hostname, address))
  if (first !== undefined) return [first, ...others]
  throw new EgressRefusal(answers.length === 0 ? 'NAME_NOT_FOUND' : 'PRIVATE_ADDRESS')
}

async function addressesOf(hostname: string, resolve: Resolve, seconds: number) {
  const family = isIP(hostname)
  if (family !== 0) return [{ address: hostname, family }]
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new EgressRefusal('CONNECT_TIMEOUT')), seconds * 1000).unref()
  })
  try {
    return await Promise.race([resolve(hostname), late])
  } catch (error) {
    throw error instanceof EgressRefusal ? error : new EgressRefusal('NAME_NOT_FOUND')
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits until a socket is connected; destroys one that is not in time.
 * @throws {EgressRefusal} `CONNECT_FAILED`, `CONNECT_TIMEOUT`
 */
export async function connected(socket: Socket, seconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new EgressRefusal('CONNECT_TIMEOUT')), seconds * 1000).unref()
      socket.once('connect', resolve)
      socket.on('error', () => reject(new EgressRefusal('CONNECT_FAILED')))
      socket.once('close', () => reject(new EgressRefusal('CONNECT_FAILED')))
    })
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

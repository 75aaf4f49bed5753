import type { LookupAddress } from 'node:dns'
import { connect, isIP, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { BashRecord } from '../../../../../src/contract/shell-record.ts'
import type { EngineShell } from '../../../../../worker/service/engine-shell.ts'
import { startProxy } from '../../../../network/helpers.ts'
import { openShell } from '../open-shell.ts'

/** A public address that stands for the test's servers. */
export const PUBLIC = '93.184.216.34'

/** What names mean in a test, and where connections really go. */
export interface Names {
  /** Addresses by name; a list of lists gives another answer each time. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** The port of 127.0.0.1 that stands for every address. Default: connections go where they say. */
  readonly origin?: string | undefined
  readonly ca?: string | undefined
  /** Default: straight. */
  readonly way?: 'direct' | 'proxied'
}

/** A shell in this process, in a network of its own. */
export interface TestWorld {
  readonly shell: EngineShell
  readonly resolved: readonly string[]
  /** `address:port`, in order. */
  readonly connections: readonly string[]
  readonly sockets: readonly Socket[]
}

/** Opens a shell that reaches its network straight, or through a proxy as in a cell. */
export async function openWorld(
  record: Partial<BashRecord>,
  { names = {}, origin, ca, way = 'direct' }: Names = {},
): Promise<TestWorld> {
  const port = origin === undefined ? undefined : Number(new URL(origin).port)
  if (way === 'proxied') return proxiedWorld(record, { names, port, ca })
  const resolved: string[] = []
  const connections: string[] = []
  const sockets: Socket[] = []
  const shell = await openShell(record, () => false, {
    access: {
      resolve: async (hostname): Promise<LookupAddress[]> => {
        resolved.push(hostname)
        const answers = names[hostname] ?? [[]]
        const times = resolved.filter((name) => name === hostname).length
        const answer = answers[Math.min(times, answers.length) - 1] ?? []
        return answer.map((address) => ({ address, family: isIP(address) }))
      },
      connect: (addresses, to) => {
        connections.push(`${addresses.map(({ address }) => address).join(' ')}:${to}`)
        const host = port === undefined ? (addresses[0]?.address ?? '') : '127.0.0.1'
        const socket = connect({ host, port: port ?? to })
        sockets.push(socket)
        return socket
      },
      ca,
    },
  })
  onTestFinished(() => shell.close())
  return { shell, resolved, connections, sockets }
}

async function proxiedWorld(
  record: Partial<BashRecord>,
  {
    names,
    port,
    ca,
  }: { names: NonNullable<Names['names']>; port: number | undefined; ca: string | undefined },
): Promise<TestWorld> {
  const { proxy, resolved, connections } = await startProxy({
    names,
    ...(port === undefined ? {} : { origin: port }),
  })
  const pass = proxy.admit('cell', { network: 'allowlist', allow: record.allowedUrls ?? [] })
  const shell = await openShell(record, () => false, {
    proxy: pass.url,
    access: {
      resolve: () => Promise.reject(new Error('The proxy resolves names.')),
      connect: () => {
        throw new Error('The proxy connects.')
      },
      ca,
    },
  })
  onTestFinished(() => shell.close())
  return { shell, resolved, connections, sockets: [] }
}

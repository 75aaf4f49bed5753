import type { LookupAddress } from 'node:dns'
import { connect, isIP, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { BashRecord } from '../../../../../src/contract/shell-record.ts'
import type { EngineShell } from '../../../../../worker/service/engine-shell.ts'
import { openShell } from '../open-shell.ts'

/** A public address that stands for the test's servers. */
export const PUBLIC = '93.184.216.34'

/** What names mean in a test, and where connections really go. */
export interface Names {
  /** Addresses by name; a list of lists gives another answer each time. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** The port of 127.0.0.1 that stands for every address. Default: connections go where they say. */
  readonly origin?: string | undefined
  readonly ca?: string
}

/** A shell in this process, in a network of its own. */
export interface TestWorld {
  readonly shell: EngineShell
  readonly resolved: readonly string[]
  /** `address:port`, in order. */
  readonly connections: readonly string[]
  readonly sockets: readonly Socket[]
}

export async function openWorld(
  record: Partial<BashRecord>,
  { names = {}, origin, ca }: Names = {},
): Promise<TestWorld> {
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
      connect: (addresses, port) => {
        connections.push(`${addresses.map(({ address }) => address).join(' ')}:${port}`)
        const own = addresses[0]?.address ?? ''
        const socket =
          origin === undefined
            ? connect({ host: own, port })
            : connect({ host: '127.0.0.1', port: Number(new URL(origin).port) })
        sockets.push(socket)
        return socket
      },
      ca,
    },
  })
  onTestFinished(() => shell.close())
  return { shell, resolved, connections, sockets }
}

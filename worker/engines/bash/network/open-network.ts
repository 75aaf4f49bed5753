import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import type { OwnCommand } from '../commands/command.ts'
import type { SecureFetch } from '../just-bash.ts'
import type { Stop } from '../session/stop.ts'
import { HttpClient } from './client.ts'
import { curl } from './curl/curl.ts'
import { directRoute, type NetworkAccess } from './direct-route.ts'
import { secureFetch } from './fetch.ts'
import { UrlPolicy } from './policy.ts'
import { proxiedRoute } from './proxied-route.ts'

/** What an interpreter has of the network. */
export interface Network {
  readonly commands: readonly OwnCommand[]
  readonly fetch: SecureFetch
}

/** How the network of a sandbox is reached. */
interface Way {
  /** The proxy of this process, with its token. */
  readonly proxy: string | undefined
  readonly access: NetworkAccess
  readonly stop: Stop
}

/** The network of a sandbox; undefined where its record names no address. @throws FarError `INVALID_CONFIG` */
export function openNetwork(
  { allowedUrls, credentials, limits }: Pick<BashRecord, 'allowedUrls' | 'credentials' | 'limits'>,
  { proxy, access, stop }: Way,
): Network | undefined {
  if (allowedUrls.length === 0) return undefined
  const policy = new UrlPolicy(allowedUrls)
  // A body is held as bytes and as text, once or twice each.
  const maxBody = Math.min(limits.maxFileSize, Math.floor(limits.maxMemory / 16))
  const route = proxy === undefined ? directRoute(policy, access) : proxiedRoute(policy, proxy, access.ca)
  const http = new HttpClient({ route, credentials, maxBody, stop })
  return { commands: [curl(http, maxBody)], fetch: secureFetch(http) }
}

import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import type { OwnCommand } from '../commands/command.ts'
import type { SecureFetch } from '../just-bash.ts'
import type { Stop } from '../session/stop.ts'
import { HttpClient } from './client.ts'
import { curl } from './curl/curl.ts'
import { directRoute, type NetworkAccess, systemAccess } from './direct-route.ts'
import { secureFetch } from './fetch.ts'
import { UrlPolicy } from './policy.ts'
import { proxiedRoute } from './proxied-route.ts'
import type { TellEgress } from './told-requests.ts'

/** What an interpreter has of the network. */
export interface Network {
  readonly commands: readonly OwnCommand[]
  readonly fetch: SecureFetch
}

/** How the network of a sandbox is reached. */
export interface NetworkWay {
  /** The proxy of this process, with its token. */
  readonly proxy: string | undefined
  /** Default: the system's resolver, and TCP. */
  readonly access: NetworkAccess | undefined
  readonly stop: Stop
  /** Told of requests. */
  readonly tell: TellEgress
}

/** The network of a sandbox. @throws FarError `INVALID_CONFIG` */
export function openNetwork(
  { allowedUrls, credentials, limits }: Pick<BashRecord, 'allowedUrls' | 'credentials' | 'limits'>,
  { proxy, access = systemAccess, stop, tell }: NetworkWay,
): Network {
  const policy = new UrlPolicy(allowedUrls)
  // A body is held as bytes and as text, once or twice each.
  const maxBody = Math.min(limits.maxFileSize, Math.floor(limits.maxMemory / 16))
  const route = proxy === undefined ? directRoute(policy, access) : proxiedRoute(policy, proxy, access.ca)
  const http = new HttpClient({ route, credentials, maxBody, stop, tell })
  return { commands: [curl(http, maxBody)], fetch: secureFetch(http) }
}

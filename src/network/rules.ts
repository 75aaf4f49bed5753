import { isUrlPrefix } from '../config/url-prefix.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { isBelow, type PathPrefix, pathPrefix } from './path-prefix.ts'
import { bare, type EgressTarget, type HttpTarget } from './targets.ts'

/** What a cell may reach. */
export type EgressPolicy =
  /** Nothing. */
  | { readonly network: 'none' }
  /**
   * What the entries name: address prefixes, read as the engine reads its `allowedUrls` (scheme, host and port
   * equal, the path at the border of a segment, query and fragment without meaning).
   *
   * An `http` entry opens its addresses. Of TLS the proxy sees host and port only: an `https` entry opens a
   * tunnel to them, whatever its path, and no other port.
   *
   * A name is reached at public addresses only. An entry that is an IP address or `localhost` opens just that
   * host, private or not.
   */
  | { readonly network: 'allowlist'; readonly allow: readonly string[] }

interface Entry extends EgressTarget {
  readonly secure: boolean
  readonly path: PathPrefix
}

/** A policy, ready to be asked. */
export class EgressRules {
  readonly network: EgressPolicy['network']
  readonly #entries: readonly Entry[]

  /**
   * @param field - what errors call the entries.
   * @throws {SandboxConfigError} with the field `allow[i]`
   */
  constructor(policy: EgressPolicy, field = 'allow') {
    this.network = policy.network
    this.#entries =
      policy.network === 'none'
        ? []
        : policy.allow.map((text, index) => readEntry(text, `${field}[${index}]`))
  }

  allowsRequest(target: HttpTarget): boolean {
    return this.#entries.some(
      (entry) => !entry.secure && isSameHost(entry, target) && isBelow(target.pathname, entry.path),
    )
  }

  allowsTunnel(target: EgressTarget): boolean {
    return this.#entries.some((entry) => entry.secure && isSameHost(entry, target))
  }
}

function isSameHost(a: EgressTarget, b: EgressTarget): boolean {
  return a.hostname === b.hostname && a.port === b.port
}

function readEntry(text: string, field: string): Entry {
  if (!isUrlPrefix(text)) throw badEntry(field, 'must be an http or https address prefix with a host')
  const { protocol, hostname, port, pathname } = new URL(text)
  const secure = protocol === 'https:'
  try {
    const path = pathPrefix(pathname)
    return { secure, hostname: bare(hostname), port: port === '' ? (secure ? 443 : 80) : Number(port), path }
  } catch (cause) {
    throw badEntry(field, 'holds an escape that is not UTF-8', cause)
  }
}

function badEntry(field: string, fault: string, cause?: unknown): SandboxConfigError {
  return new SandboxConfigError(`${field} ${fault}.`, { field, ...(cause !== undefined && { cause }) })
}

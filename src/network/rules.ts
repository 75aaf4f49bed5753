import { type AllowedEntry, readEntry } from '../allowlist/entry.ts'
import { isBelow } from '../allowlist/path-prefix.ts'
import { isUrlPrefix } from '../config/url-prefix.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import type { EgressTarget, HttpTarget } from './targets.ts'

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
  | {
      readonly network: 'allowlist'
      readonly allow: readonly string[]
      /** Bearer tokens that the proxy adds to plain HTTP requests to the host and port of an address. Of TLS it sees nothing. */
      readonly credentials?: readonly { readonly url: string; readonly token: string }[]
    }

/** A policy, ready to be asked. */
export class EgressRules {
  readonly network: EgressPolicy['network']
  readonly #entries: readonly AllowedEntry[]
  /** By origin. */
  readonly #tokens: ReadonlyMap<string, string>

  /**
   * @param field - what errors call the entries.
   * @throws {SandboxConfigError} with the field `allow[i]`
   */
  constructor(policy: EgressPolicy, field = 'allow') {
    this.network = policy.network
    this.#entries =
      policy.network === 'none'
        ? []
        : policy.allow.map((text, index) => checkedEntry(text, `${field}[${index}]`))
    const credentials = policy.network === 'none' ? [] : (policy.credentials ?? [])
    this.#tokens = new Map(credentials.map(({ url, token }) => [new URL(url).origin, token]))
  }

  /** The token that goes with a plain HTTP request; undefined where there is none. */
  tokenFor({ host }: HttpTarget): string | undefined {
    return this.#tokens.get(`http://${host}`)
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

function checkedEntry(text: string, field: string): AllowedEntry {
  if (!isUrlPrefix(text)) throw badEntry(field, 'must be an http or https address prefix with a host')
  try {
    return readEntry(text)
  } catch (cause) {
    throw badEntry(field, 'holds an escape that is not UTF-8', cause)
  }
}

function badEntry(field: string, fault: string, cause?: unknown): SandboxConfigError {
  return new SandboxConfigError(`${field} ${fault}.`, { field, ...(cause !== undefined && { cause }) })
}

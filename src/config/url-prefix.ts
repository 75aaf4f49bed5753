import { parseUrl } from '../allowlist/parse-url.ts'

const authority = /^https?:\/\/([^/?#]+)/i

/** Characters that an address does not hold, or that a URL parser drops or replaces without an error. */
const strays = /[\s\\\p{C}]/u

/**
 * Whether a text is an address prefix the engine can match: `http` or `https`, a host, no user name or
 * password, no wildcard in the host.
 */
export function isUrlPrefix(text: string): boolean {
  const host = authority.exec(text)?.[1]
  return host !== undefined && !/[@*]/.test(host) && !strays.test(text) && parseUrl(text) !== undefined
}

/**
 * Writes scheme, host and port as a URL parser does (small letters, no default port) and leaves the rest
 * as it is: the engine compares credentials as text, and a capital letter would never match.
 */
export function normalizeUrlPrefix(text: string): string {
  return text.replace(authority, () => new URL(text).origin)
}

/** Whether a prefix in its normal form names a host and nothing below it. */
export function isWholeHost(prefix: string): boolean {
  return /^[^/]+\/\/[^/?#]+\/?$/.test(prefix)
}

import { type PathPrefix, pathPrefix } from './path-prefix.ts'

/** What one entry of `allowedUrls` names: scheme, host and port, and a path with what is below it. */
export interface AllowedEntry {
  readonly secure: boolean
  /** As a URL parser writes it; an IPv6 address without brackets. */
  readonly hostname: string
  readonly port: number
  readonly path: PathPrefix
}

/**
 * Reads an entry; query and fragment have no meaning.
 *
 * @param text - an `http` or `https` URL.
 * @throws TypeError for a path with escapes that are not UTF-8
 */
export function readEntry(text: string): AllowedEntry {
  const url = new URL(text)
  return {
    secure: url.protocol === 'https:',
    hostname: bareHost(url.hostname),
    port: portOf(url),
    path: pathPrefix(url.pathname),
  }
}

/** The port of an `http` or `https` address, also where it does not name one. */
export function portOf({ protocol, port }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** A host name without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

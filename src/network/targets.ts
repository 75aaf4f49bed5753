import { bareHost, portOf } from '../allowlist/entry.ts'
import { parseUrl } from '../allowlist/parse-url.ts'

/** Where a request wants to go. */
export interface EgressTarget {
  /** As a URL parser writes it; an IPv6 address without brackets. */
  readonly hostname: string
  readonly port: number
}

/** The target of a plain HTTP request. */
export interface HttpTarget extends EgressTarget {
  /** The value of the `Host` header: host, and port where it is not 80. */
  readonly host: string
  readonly pathname: string
  /** Path and query, as they go to the origin. */
  readonly path: string
  /** For events: without the query, which may hold a secret. */
  readonly shown: string
}

const absoluteForm = /^http:\/\/([^/?#@\\]+)(?=[/?]|$)[^#\\]*$/i
const authorityForm = /^(.+):([1-9]\d{0,4})$/
const visibleAscii = /^[\x21-\x7e]+$/

/**
 * Reads the target of a request to a proxy, `http://host/path`. Undefined for everything else, also for an
 * address whose host is not written as a URL parser writes it (`0x7f.1`, `example.com:080`, `user@host`).
 */
export function readHttpTarget(text: string): HttpTarget | undefined {
  const authority = visibleAscii.test(text) ? absoluteForm.exec(text)?.[1]?.toLowerCase() : undefined
  const url = authority === undefined ? undefined : parseUrl(text)
  if (url === undefined) return undefined
  const { host, hostname, pathname, search } = url
  if (authority !== host && authority !== `${host}:80`) return undefined
  return {
    hostname: bareHost(hostname),
    port: portOf(url),
    host,
    pathname,
    path: pathname + search,
    shown: `http://${host}${pathname}`,
  }
}

/** Reads the target of a tunnel, `host:port`. Undefined for everything else, as for {@link readHttpTarget}. */
export function readTunnelTarget(text: string): EgressTarget | undefined {
  const [, host = '', digits = ''] = (visibleAscii.test(text) && authorityForm.exec(text)) || []
  const url = parseUrl(`https://${host}/`)
  if (host === '' || Number(digits) > 65_535 || url === undefined) return undefined
  const { hostname, href } = url
  if (hostname !== host.toLowerCase() || href !== `https://${hostname}/`) return undefined
  return { hostname: bareHost(hostname), port: Number(digits) }
}

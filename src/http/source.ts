import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** Under which names, and from which web pages, a server may be reached. */
export interface AllowedSources {
  /** Names without a port, in lower case. */
  readonly allowedHosts: ReadonlySet<string>
  readonly allowedOrigins: ReadonlySet<string>
}

/** Names of this machine that nobody else can have. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * The `Origin` of a request; undefined where no web page sent it.
 *
 * @throws {Refusal} for a request under a name, or of a page, that is not allowed
 */
export function checkSource(
  { headers: { host, origin } }: IncomingMessage,
  { allowedHosts, allowedOrigins }: AllowedSources,
): string | undefined {
  const name = /^(\[[0-9a-f:.]+\]|[^:/@\s]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1]
  if (name === undefined || !allowedHosts.has(name.toLowerCase())) {
    throw new Refusal(403, 'The Host of this request is not one that the server allows.')
  }
  if (origin === undefined || allowedOrigins.has(origin)) return origin
  throw new Refusal(403, 'The Origin of this request is not one that the server allows.')
}

/** A host as addresses and `Host` headers have it: IPv6 in brackets. */
export function inUrl(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}

/** Whether only this machine can reach an address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

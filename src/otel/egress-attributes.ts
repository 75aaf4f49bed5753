import type { Attributes } from '@opentelemetry/api'
import type { EgressDecision, EgressEnd } from '../network/events.ts'

/** The methods that the semantic conventions know. */
const methods: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
])

/** The name of the span of a request. */
export function egressName({ method }: EgressDecision | EgressEnd): string {
  return methods.has(method) ? method : 'HTTP'
}

/** What a request asked for, as the semantic conventions of HTTP clients name it. */
export function egressAttributes({ cell, method, url }: EgressDecision | EgressEnd): Attributes {
  const isKnown = methods.has(method)
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown || method === '' ? undefined : method,
    'strands_shell.cell': cell,
    ...(method === 'CONNECT'
      ? serverOf(`http://${url}`)
      : { ...serverOf(url), 'url.full': url || undefined }),
  }
}

/** How it ended. */
export function egressEndAttributes(end: EgressEnd): Attributes {
  return {
    'http.response.status_code': end.status,
    'http.request.body.size': end.sent,
    'http.response.body.size': end.received,
    'error.type': egressFailure(end),
  }
}

/** What failed; a status from 400 is a failure of its client. Undefined where nothing did. */
export function egressFailure({ reason, status = 0 }: EgressEnd): string | undefined {
  return reason ?? (status >= 400 ? String(status) : undefined)
}

function serverOf(url: string): Attributes {
  if (!URL.canParse(url)) return {}
  const { hostname, port } = new URL(url)
  return {
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': port === '' ? 80 : Number(port),
  }
}

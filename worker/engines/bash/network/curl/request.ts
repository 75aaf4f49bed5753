import type { ClientRequest } from '../client.ts'
import { RequestFailure } from '../failure.ts'
import type { Header } from '../headers.ts'
import type { RequestBody } from './body.ts'
import { type CurlOptions, lastValue } from './options.ts'

/** The request that the options ask for. */
export function requestOf(
  text: string,
  options: CurlOptions,
  data: Buffer | undefined,
  body: RequestBody | undefined,
): Omit<ClientRequest, 'redirects' | 'signal'> {
  const seconds = [lastValue(options, 'max-time'), lastValue(options, 'connect-timeout')].find(
    (value) => Number(value) > 0,
  )
  const url = addressOf(text, options)
  const query = options.flags.has('get') ? data?.toString() : undefined
  return {
    url: query === undefined ? url : withQuery(url, query),
    method: methodOf(options, body),
    headers: headersOf(options, body?.type),
    body: body?.content,
    milliseconds: seconds === undefined ? undefined : Number(seconds) * 1000,
  }
}

function addressOf(text: string, { flags }: CurlOptions): string {
  if (!flags.has('globoff') && /\{[^}]*\}|\[[^\]:]*\]/.test(text))
    throw new RequestFailure(3, 'patterns in addresses are not expanded here: write each address, or add -g')
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}

function withQuery(url: string, query: string): string {
  const [before = '', ...fragment] = url.split('#')
  const sign = before.includes('?') ? '&' : '?'
  return [`${before}${sign}${query}`, ...fragment].join('#')
}

function methodOf(options: CurlOptions, body: RequestBody | undefined): string {
  const named = lastValue(options, 'request')
  if (named !== undefined) return named
  if (options.flags.has('head')) return 'HEAD'
  if (lastValue(options, 'upload-file') !== undefined) return 'PUT'
  return body === undefined ? 'GET' : 'POST'
}

function headersOf(options: CurlOptions, type: string | undefined): Header[] {
  const headers = new Map<string, Header[]>()
  const add = (name: string, value: string) => {
    const key = name.toLowerCase()
    headers.set(key, [...(headers.get(key) ?? []), [name, value]])
  }
  const set = (name: string, value: string) => headers.set(name.toLowerCase(), [[name, value]])
  if (type !== undefined) set('Content-Type', type)
  if (options.flags.has('compressed')) set('Accept-Encoding', 'deflate, gzip, br')
  const own = new Set<string>()
  for (const [option, value] of options.values) {
    if (option === 'json') set('Accept', 'application/json')
    else if (option === 'user') set('Authorization', `Basic ${Buffer.from(value).toString('base64')}`)
    else if (option === 'oauth2-bearer') set('Authorization', `Bearer ${value}`)
    else if (option === 'user-agent') set('User-Agent', value)
    else if (option === 'referer') set('Referer', value)
    else if (option === 'range') set('Range', `bytes=${value}`)
    else if (option === 'cookie') {
      if (!value.includes('='))
        throw new RequestFailure(2, "cookies cannot be read from a file here: write -b 'name=value'")
      add('Cookie', value)
    }
  }
  for (const [option, value] of options.values) {
    if (option !== 'header') continue
    const [, name = '', sign = '', content = ''] = /^([^:;]+)([:;])\s*(.*)$/s.exec(value) ?? []
    const key = name.trim().toLowerCase()
    if (key === '') continue
    if (!own.has(key)) headers.delete(key)
    own.add(key)
    // `Name:` leaves a header out, `Name;` sends it empty.
    if (content !== '' || sign === ';') add(name.trim(), content.trimEnd())
  }
  return [...headers.values()].flat()
}

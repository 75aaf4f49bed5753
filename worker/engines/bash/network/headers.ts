export type Header = readonly [name: string, value: string]

/** About the connection and the framing, which are not the agent's; and the host, which is that of the address. */
const NOT_ITS_OWN: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What says who asks: it is for the host that it was given for. */
const SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie'])

/** The headers of a request as they are sent. A credential replaces what the agent wrote. */
export function outgoingHeaders(url: URL, headers: readonly Header[], token: string | undefined): Header[] {
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  const own = headers.filter(([name]) => {
    const key = name.toLowerCase()
    return !NOT_ITS_OWN.has(key) && (token === undefined || key !== 'authorization')
  })
  return [
    ['Host', url.host],
    ...(named.has('user-agent') ? [] : [['User-Agent', 'curl/8 (just-bash)'] as const]),
    ...(named.has('accept') ? [] : [['Accept', '*/*'] as const]),
    ...own.map(([name, value]): Header => [name, Buffer.from(value).toString('latin1')]),
    ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
  ]
}

/** What may be sent to another host. */
export function withoutSecrets(headers: readonly Header[]): readonly Header[] {
  return headers.filter(([name]) => !SECRET.has(name.toLowerCase()))
}

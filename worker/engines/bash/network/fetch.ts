import type { SecureFetch } from '../just-bash.ts'
import { type HttpClient, MAX_REDIRECTS } from './client.ts'

/** The client as the function that just-bash gives its own programs, such as `python3`. */
export function secureFetch(http: HttpClient): SecureFetch {
  return async (
    url,
    { method = 'GET', headers, body, followRedirects = true, maxRedirects, timeoutMs, signal } = {},
  ) => {
    const answer = await http.send({
      url,
      method: method.toUpperCase(),
      headers: headers instanceof Headers ? [...headers] : Object.entries(headers ?? {}),
      body: body === undefined ? undefined : Buffer.from(body),
      redirects: followRedirects ? Math.min(maxRedirects ?? MAX_REDIRECTS, MAX_REDIRECTS) : 0,
      milliseconds: Number.isFinite(timeoutMs) ? timeoutMs : undefined,
      signal,
    })
    const joined = new Map<string, string>()
    for (const [name, value] of answer.headers) {
      const key = name.toLowerCase()
      const before = joined.get(key)
      joined.set(key, before === undefined ? value : `${before}, ${value}`)
    }
    return {
      status: answer.status,
      statusText: answer.statusText,
      headers: Object.fromEntries(joined),
      body: answer.body,
      url: answer.url,
    }
  }
}

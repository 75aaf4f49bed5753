import { type AllowedEntry, bareHost, portOf, readEntry } from '../../../../src/allowlist/entry.ts'
import { isBelow } from '../../../../src/allowlist/path-prefix.ts'
import { FarError } from '../../../service/far-error.ts'

/** What an allowlist says of an address: another path of a host that it names, or another host. */
export type Verdict = 'allowed' | 'other-path' | 'other-host'

/** The `allowedUrls` of a sandbox, ready to be asked. */
export class UrlPolicy {
  readonly #entries: readonly AllowedEntry[]

  /** @throws FarError `INVALID_CONFIG` with the field `allowedUrls[i]` */
  constructor(allowedUrls: readonly string[]) {
    this.#entries = allowedUrls.map((text, index) => {
      try {
        return readEntry(text)
      } catch {
        // Whatever is wrong with it, what is asked for is the same.
        const field = `allowedUrls[${index}]`
        const message = `${field} must be an http or https address prefix whose escapes are UTF-8.`
        throw new FarError({ code: 'INVALID_CONFIG', field, message })
      }
    })
  }

  judge(url: URL): Verdict {
    const [secure, hostname, port] = [url.protocol === 'https:', bareHost(url.hostname), portOf(url)]
    const named = this.#entries.filter(
      (entry) => entry.secure === secure && entry.hostname === hostname && entry.port === port,
    )
    if (named.length === 0) return 'other-host'
    return named.some(({ path }) => isBelow(url.pathname, path)) ? 'allowed' : 'other-path'
  }
}

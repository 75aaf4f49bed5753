import type { BashOptions } from './just-bash.ts'
import type { BashNetworkRecord } from './record.ts'

/** just-bash's network config; without allowed URLs there is no network. */
export function networkOf(record: BashNetworkRecord | undefined): BashOptions['network'] {
  if (record === undefined || record.allowedUrls.length === 0) return undefined
  const { allowedUrls, credentials, allowPrivate = false } = record
  const plain = allowedUrls.filter((url) => !credentials.some((credential) => credential.url === url))
  return {
    allowedUrlPrefixes: [
      ...credentials.map(({ url, headers }) => ({
        url,
        transform: [{ headers: Object.fromEntries(headers) }],
      })),
      ...plain,
    ],
    denyPrivateRanges: !allowPrivate,
    allowedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'],
  }
}

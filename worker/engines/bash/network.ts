import type { BashRecord } from '../../../src/contract/shell-record.ts'
import type { BashOptions } from './just-bash.ts'

/** just-bash's network config; without allowed URLs there is no network. Credentials go to their host alone. */
export function networkOf({
  allowedUrls,
  credentials,
}: Pick<BashRecord, 'allowedUrls' | 'credentials'>): BashOptions['network'] {
  if (allowedUrls.length === 0) return undefined
  return {
    allowedUrlPrefixes: allowedUrls.map((url) => {
      const token = credentials.find((credential) => url.startsWith(credential.url))?.token
      if (token === undefined) return url
      return { url, transform: [{ headers: { Authorization: `Bearer ${token}` } }] }
    }),
    denyPrivateRanges: true,
    allowedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'],
  }
}

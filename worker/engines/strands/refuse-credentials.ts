import type { ShellDescription } from '../../../src/contract/shell-api.ts'
import { FarError } from '../../service/far-error.ts'

/** Refuses credentials of a config file whose tokens the engine would not keep to themselves, or to their host. */
export function refuseCredentials({ credentials }: Pick<ShellDescription, 'credentials'>): void {
  for (const { url, kind } of credentials) {
    if (kind !== 'bearer') {
      throw refusal('is not of kind "bearer": the engine shows its token to commands when a request fails')
    }
    if (!isWholeHost(url)) {
      throw refusal(
        'does not name a whole host and nothing below it, like "https://api.example.com/": a token for "/v1" would also go to "/v1/../other"',
      )
    }
  }
}

function isWholeHost(url: string): boolean {
  return /^https?:\/\/[^/?#@\\\s]+\/?$/.test(url)
}

function refusal(problem: string): FarError {
  return new FarError({
    code: 'INVALID_CONFIG',
    field: 'configFile',
    message: `configFile has a credential that ${problem}.`,
  })
}

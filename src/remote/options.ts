import { parseUrl } from '../allowlist/parse-url.ts'
import { requireLabels } from '../config/labels.ts'
import type { Labels } from '../host/event-data.ts'
import { refuse } from '../sandbox/arguments.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'

/** Where a service is, and how it is reached. */
export interface RemoteOptions {
  /** Its address: `http://127.0.0.1:7300`. */
  readonly url: string
  /** The bearer token. It appears in no error and no description. */
  readonly token: string
  /**
   * Seconds for which a call whose connection was lost looks for the service again, from 0 to 3600. A service remembers calls for
   * its `resumeTime` and `keyTime`: a longer time here finds them gone.
   *
   * @default 30
   */
  readonly reconnectTime?: number | undefined
}

/** Which sandbox a service opens. */
export interface RemoteConfig {
  /**
   * The name of a config of the service.
   *
   * @default 'default'
   */
  readonly template?: string | undefined
  /**
   * Labels of the sandbox; those of the token are added.
   *
   * @default {}
   */
  readonly labels?: Labels | undefined
  /**
   * What the sandbox is known by: 1 to 80 bytes. There must be none with it.
   *
   * @default undefined (the service makes one)
   */
  readonly id?: string | undefined
}

/** Options that are all there. */
export interface ResolvedRemoteOptions {
  readonly url: URL
  readonly token: string
  readonly reconnectTime: number
}

/** @throws {SandboxConfigError} naming the option that is not valid; never a token */
export function resolveRemoteOptions(options: unknown): ResolvedRemoteOptions {
  const {
    url,
    token,
    reconnectTime = 30,
  } = optionsOf<RemoteOptions>(options, ['url', 'token', 'reconnectTime'])
  const parsed = typeof url === 'string' ? parseUrl(url) : undefined
  if (
    parsed === undefined ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.search !== ''
  )
    throw refuse(
      'url',
      `must be the address of a service, such as http://127.0.0.1:7300, without a user and a query, but is ${showValue(url)}.`,
    )
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw refuse('token', `must be visible ASCII characters without spaces, but is ${kindOf(token)}.`)
  return {
    url: parsed,
    token,
    reconnectTime: within('reconnectTime', reconnectTime, { least: 0, most: 3600, unit: 'seconds' }),
  }
}

/** @throws {SandboxConfigError} naming the field that is not valid */
export function resolveRemoteConfig(config: unknown = {}): RemoteConfig {
  const { template, labels, id } = optionsOf<RemoteConfig>(config, ['template', 'labels', 'id'], 'config')
  for (const [field, value] of [
    ['template', template],
    ['id', id],
  ] as const) {
    if (value !== undefined && typeof value !== 'string')
      throw refuse(field, `must be a string, but is ${kindOf(value)}.`)
  }
  return {
    ...(typeof template === 'string' ? { template } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    ...(labels === undefined ? {} : { labels: requireLabels('labels', labels) }),
  }
}

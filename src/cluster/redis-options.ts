import { parseUrl } from '../allowlist/parse-url.ts'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'

/** @throws {SandboxConfigError} for what is no address of Redis; it may have a password, which is not told */
export function requireRedis(redis: unknown): string {
  const url = typeof redis === 'string' ? parseUrl(redis) : undefined
  if (typeof redis === 'string' && url !== undefined && /^rediss?:$/.test(url.protocol)) return redis
  throw refuse('redis', `must be an address, such as redis://127.0.0.1:6379, but is ${kindOf(redis)}.`)
}

/** @throws {SandboxConfigError} for what cannot name a cluster */
export function requireClusterName(name: unknown = 'default'): string {
  if (typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name)) return name
  throw refuse('cluster', `must be 1 to 64 letters, digits, "-" and "_", but is ${showValue(name)}.`)
}

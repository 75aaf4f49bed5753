import { parseUrl } from '../allowlist/parse-url.ts'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'

/** @throws {SandboxConfigError} naming the field, as do the others here */
export function requireInteger(field: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw refuse(field, `must be an integer from ${least} to ${most}, but is ${showValue(value)}.`)
}

/** A list of strings; an empty one for undefined. */
export function requireList(field: string, value: unknown): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw refuse(field, `must be a list of strings, but is ${kindOf(value)}.`)
}

/** A name of a host, in lower case. */
export function requireHostName(name: string): string {
  if (/^(\[[0-9a-f:.]+\]|[^:/@\s]+)$/i.test(name)) return name.toLowerCase()
  throw refuse(
    'allowedHosts',
    `must be names without a port, such as mcp.example.com, but has ${showValue(name)}.`,
  )
}

/** The origin of web pages. */
export function requireOrigin(origin: string): string {
  if (parseUrl(origin)?.origin === origin) return origin
  throw refuse(
    'allowedOrigins',
    `must be origins such as https://app.example.com, but has ${showValue(origin)}.`,
  )
}

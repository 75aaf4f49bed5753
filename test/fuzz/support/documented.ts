import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { SandboxConfigError, SandboxError, SessionLoss, WorkerLostError } from '../../../src/index.ts'

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')

/** Classes with their codes, as docs/errors.md has them. */
const classes = new Map(
  Array.from(page.matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm), ([, name, code]) => [name, code]),
)
const losses = new Set(Array.from(page.matchAll(/^\| `([A-Z_]+)` \|/gm), ([, code]) => code))

/** What could forge a line of a terminal or a log: control and line-breaking characters, turns of the writing direction. */
const forging = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Characters of the longest message that can be shown. */
const mostCharacters = 8_192

let codes: Record<string, number> = {}

/** How often each code was met since the last time. */
export function takeCodes(): Readonly<Record<string, number>> {
  const taken = codes
  codes = {}
  return taken
}

/** Fails unless an error is one of the documented table, with a message that can be shown anywhere. */
export function expectDocumented(error: unknown): asserts error is SandboxError {
  if (!(error instanceof SandboxError)) throw new Error('not an error of this package', { cause: error })
  const { name, code, message, cause } = error
  expect([name, code]).toEqual([name, classes.get(name)])
  expectShowable(message, error instanceof SandboxConfigError)
  if (error instanceof SandboxConfigError) expect(error.field).not.toBe('')
  if (error instanceof WorkerLostError) {
    if (!(cause instanceof SessionLoss)) throw new Error('a loss without its cause', { cause: error })
    expect(losses.has(cause.code)).toBe(true)
    expectShowable(cause.message, false)
  }
  const met = cause instanceof SessionLoss ? `${code} ${cause.code}` : code
  codes[met] = (codes[met] ?? 0) + 1
}

/** Fails for a message that is too long, or could forge what a terminal or a log shows. */
export function expectShowable(message: string, mayList: boolean): void {
  expect(message.length).toBeLessThanOrEqual(mostCharacters)
  // A list of problems has an item a line.
  const line = mayList ? message.replaceAll('\n- ', '') : message
  expect(forging.exec(line)?.[0]).toBe(undefined)
  expect(message.isWellFormed()).toBe(true)
}

/** How a call ended: its value, or an error that {@link expectDocumented} let through. */
export async function outcomeOf<T>(
  call: () => Promise<T> | T,
): Promise<{ value: T } | { error: SandboxError }> {
  try {
    return { value: await call() }
  } catch (error) {
    expectDocumented(error)
    return { error }
  }
}

import { describe, expect, test } from 'vitest'
import { SandboxConfigError, ShellHost } from '../../src/index.ts'

/** What a call refused: field and message. */
function refusalOf(call: () => unknown): readonly [field: string, message: string] {
  try {
    call()
  } catch (error) {
    if (error instanceof SandboxConfigError) return [error.field, error.message]
    throw error
  }
  throw new Error('it was not refused')
}

const thrower = () => {
  throw new TypeError('boom')
}
const unreadable = new Proxy({}, { get: thrower, ownKeys: thrower, getPrototypeOf: thrower })

describe('options of a host that are not valid', () => {
  test.each([
    [
      { maxSandboxes: 0 },
      'maxSandboxes',
      'maxSandboxes: expected an integer of at least 1, got 0 (a number).',
    ],
    [
      { maxQueued: { toString: thrower } },
      'maxQueued',
      'maxQueued: expected an integer of at least 0, got an object.',
    ],
    [
      { isolation: '\u001b[2J' },
      'isolation',
      String.raw`isolation: expected 'worker', 'shared', 'process', got "\u001b[2J" (a string).`,
    ],
  ])(
    'are rejected with the value in the message, without calling its methods (%#)',
    (options, field, message) => {
      expect(refusalOf(() => Reflect.construct(ShellHost, [options]))).toEqual([field, message])
    },
  )

  test('that are unknown are rejected, and their names are escaped', () => {
    const [field, message] = refusalOf(() => Reflect.construct(ShellHost, [{ '\u001b[2J\n': 1 }]))
    expect(field).toBe(String.raw`["\u001b[2J\n"]`)
    expect(message.startsWith(`${field} is no option. Known here: isolation, `)).toBe(true)
  })

  test('that throw when read are rejected, and so is such a config', async () => {
    const message = (field: string) => [field, `${field} could not be read. Pass plain data.`]
    expect(refusalOf(() => Reflect.construct(ShellHost, [unreadable]))).toEqual(message('options'))
    await using host = new ShellHost({ isolation: 'worker' })
    expect(refusalOf(() => Reflect.apply(host.sandbox, host, [unreadable]))).toEqual(message('config'))
  })
})

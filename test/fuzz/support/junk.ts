import fc from 'fast-check'
import { codePoint } from '../../support/code-point.ts'

/** Texts that mean something to a shell, a terminal, a log, a path or JavaScript. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: codePoint, maxLength: 12 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '\n2024-01-01 INFO all is well',
    '\u001b[2J\u001b[31m',
    '\u009b31m',
    '\r',
    '\u202egnp.exe',
    '\u2028',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '../../etc/passwd',
    '/etc/passwd',
    '$(reboot)',
    "'; exit 7; '",
    '`id`',
    'x'.repeat(20_000),
    '\u001b]0;title\u0007',
  ),
)

/** Numbers at the edges. */
export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1, -1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, Number.NaN, Infinity, -Infinity),
)

/** Plain data that no contract names. */
export const oddData: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small' },
  fc.anything({
    key: oddText,
    maxDepth: 3,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
  oddText,
  oddNumber,
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    {},
    [],
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  ),
)

/**
 * Stands for an object that runs code when it is looked at, or has no end: {@link armed} puts it in place, out of sight
 * of whoever generates, shrinks and prints cases.
 */
class Trap {
  readonly kind: string

  constructor(kind: string) {
    this.kind = kind
  }
}

const trap: fc.Arbitrary<unknown> = fc
  .constantFrom(
    'getter',
    'proxy',
    'revoked',
    'circle',
    'web',
    'deep',
    'hole',
    'class',
    'function',
    'valueOf',
    'list',
  )
  .map((kind) => new Trap(kind))

/** The value with its traps in place. */
export function armed(value: unknown): unknown {
  if (value instanceof Trap) return traps[value.kind]
  if (Array.isArray(value)) return value.map(armed)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, armed(held)]))
}

function thrower(): never {
  throw new TypeError('a trap of the caller')
}

const handler: ProxyHandler<object> = {
  get: thrower,
  has: thrower,
  ownKeys: thrower,
  getPrototypeOf: thrower,
  getOwnPropertyDescriptor: thrower,
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function circle(): object {
  const made: Record<string, unknown> = {}
  made['env'] = made
  return made
}

/** Few objects, and more ways through them than there are atoms. */
function web(): unknown[] {
  const made: unknown[] = []
  for (let index = 0; index < 60; index++) made.push(made)
  return made
}

function deep(): unknown {
  let made: unknown = 1
  for (let level = 0; level < 20_000; level++) made = [made]
  return made
}

const traps: Readonly<Record<string, unknown>> = {
  getter: Object.defineProperty({}, 'env', { enumerable: true, get: thrower }),
  proxy: new Proxy({}, handler),
  revoked: revoked(),
  circle: circle(),
  web: web(),
  deep: deep(),
  hole: new Array(2 ** 32 - 1),
  class: new (class Config {
    timeout = 1
  })(),
  function: thrower,
  valueOf: { valueOf: thrower, toString: thrower, [Symbol.toPrimitive]: thrower },
  list: new Proxy([], handler),
}

/** Anything at all. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddData },
  { weight: 1, arbitrary: trap },
)

/** A value that is right most of the time, and else anything. */
export function mostly(
  right: fc.Arbitrary<unknown>,
  wrong: fc.Arbitrary<unknown> = junk,
): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 15, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

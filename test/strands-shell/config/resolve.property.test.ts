import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveCredentials } from '../../../src/config/credentials.ts'
import { resolveExecuteOptions } from '../../../src/sandbox/arguments.ts'
import { SandboxConfigError } from '../../../src/sandbox/errors.ts'
import { resolveConfig } from '../../../src/strands-shell/config/resolve.ts'
import { cases } from '../../support/tier.ts'

const junk = fc.oneof(
  { depthSize: 'small' },
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.constantFrom(
    '/a',
    'http://a/',
    'direct',
    1,
    0,
    -1,
    2 ** 32,
    Number.NaN,
    true,
    '',
    '\0',
    '\ud800',
    Symbol('s'),
  ),
)

/** A value that is often right, and sometimes anything. */
const mostly = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: right }, { weight: 1, arbitrary: junk })

/** A config of a few valid fields: what must come out whole, now and then. */
const validConfig = fc.record(
  {
    env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,5}$/), fc.stringMatching(/^[ -~]{0,9}$/)),
    umask: fc.nat(0o777),
    timeout: fc.double({ min: 0.001, max: 86_400, noNaN: true }),
    onLost: fc.constantFrom('reopen', 'fail'),
  },
  { requiredKeys: [] },
)

const oddConfig = mostly(
  fc.record(
    {
      binds: mostly(
        fc.array(
          mostly(
            fc.record(
              {
                source: mostly(fc.constantFrom('/a', 'b')),
                destination: mostly(fc.constantFrom('/a', '/b/', '/c')),
                mode: mostly(fc.constantFrom('direct', 'copy', 'passthrough')),
                readonly: mostly(fc.boolean()),
                exclude: mostly(fc.array(mostly(fc.constantFrom('*.log', 'dist/')), { maxLength: 2 })),
              },
              { requiredKeys: ['source', 'destination'] },
            ),
          ),
          { maxLength: 3 },
        ),
      ),
      credentials: mostly(
        fc.array(mostly(fc.record({ url: mostly(fc.webUrl()), token: mostly(fc.uuid()) }))),
      ),
      allowedUrls: mostly(fc.array(mostly(fc.webUrl()), { maxLength: 3 })),
      env: mostly(
        fc.dictionary(fc.oneof(fc.stringMatching(/^[A-Z_]{1,5}$/), fc.string()), mostly(fc.string())),
      ),
      umask: mostly(fc.nat(0o777)),
      timeout: mostly(fc.double({ min: 0.001, max: 86_400 })),
      limits: mostly(
        fc.record(
          { maxFds: mostly(fc.nat()), maxDepth: mostly(fc.nat()), mirrorMaxFiles: mostly(fc.nat()) },
          { requiredKeys: [] },
        ),
      ),
      maxPending: mostly(fc.nat()),
      onLost: mostly(fc.constantFrom('reopen', 'fail')),
      unknown: junk,
    },
    { requiredKeys: [] },
  ),
)

const anyConfig = fc.oneof({ weight: 4, arbitrary: oddConfig }, { weight: 1, arbitrary: validConfig })

describe('resolveConfig, given anything', () => {
  test('returns a config that crosses threads whole, or throws a SandboxConfigError that names a field', () => {
    let accepted = 0
    fc.assert(
      fc.property(anyConfig, (config) => {
        try {
          const { record } = resolveConfig(config)
          const opened = { ...record, credentials: resolveCredentials(record.credentials, {}) }
          expect(structuredClone(opened)).toEqual(opened)
          accepted++
        } catch (error) {
          expect(error).toBeInstanceOf(SandboxConfigError)
          expect(error).toHaveProperty('field', expect.stringMatching(/./))
        }
      }),
      { numRuns: cases(600) },
    )
    expect(accepted).toBeGreaterThan(0)
  })

  test('includes no secret in an error and no token in its result', () => {
    const secret = 'hush-7f3a'
    const hidden = fc.constantFrom<unknown>(
      secret,
      [secret],
      { [Symbol.iterator]: secret },
      `${secret}\n`,
      `${secret}\0`,
      {
        value: secret,
      },
    )
    const credential = fc.oneof(
      hidden,
      fc.record(
        {
          url: fc.oneof(
            fc.constantFrom('https://a.example', `https://u:${secret}@a.example`, secret),
            hidden,
          ),
          token: hidden,
          envVar: fc.oneof(fc.constant('TOKEN'), hidden),
          extra: hidden,
        },
        { requiredKeys: [] },
      ),
    )
    const config = fc.record(
      {
        credentials: fc.oneof({ weight: 4, arbitrary: fc.array(credential, { maxLength: 3 }) }, hidden),
        env: fc.oneof(fc.record({ 'A-B': hidden, A: hidden.filter((value) => value !== secret) }), hidden),
        allowedUrls: fc.oneof(fc.array(hidden), hidden),
        timeout: fc.constantFrom(1, -1),
      },
      { requiredKeys: ['credentials'] },
    )
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: config }, hidden), (value) => {
        for (const call of [() => resolveConfig(value), () => resolveExecuteOptions(value)]) {
          expect(printed(thrownBy(call))).not.toContain(secret)
        }
      }),
      { numRuns: cases(600) },
    )
    const resolved = resolveConfig({ credentials: [{ url: 'https://a.example', token: secret }] })
    expect(printed(resolved)).not.toContain(secret)
    expect(resolveCredentials(resolved.record.credentials, {})).toEqual([
      { url: 'https://a.example', token: secret },
    ])
  })
})

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(SandboxConfigError)
    return error
  }
  return undefined
}

/** Everything a logger could make of a value. */
function printed(value: unknown): string {
  const text = value instanceof Error ? `${value.message}${value.stack}` : ''
  return text + inspect(value, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(value)
}

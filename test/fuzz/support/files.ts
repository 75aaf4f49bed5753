import fc from 'fast-check'
import { oddText } from './junk.ts'

const key = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'timeout',
      'umask',
      'env',
      'limits',
      'maxOutput',
      'binds',
      'source',
      'destination',
      'mode',
      'readonly',
      'exclude',
      'credentials',
      'url',
      'token',
      'allowedUrls',
      'isolation',
      'configFile',
      'command',
      'files',
      'collect',
      'id',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'timout', 'toString') },
  { weight: 1, arbitrary: oddText },
)

interface Tree {
  readonly value: unknown
}

/** Data with the names of a config anywhere, in no order that makes sense. */
const { value } = fc.letrec<Tree>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      oddText,
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom('/tmp', '/a', 'direct', 'copy', 'https://a.example/', 'echo a', 1, 0.5, 100),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))
const table = fc.dictionary(key, value, { maxKeys: 5 })

/** What a field of a config may be, and now and then something else. */
const mostly = (valid: unknown) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(valid) }, { weight: 1, arbitrary: value })

/** A table that is a config but for a field or two. */
const config = fc.record(
  {
    timeout: mostly(1),
    umask: mostly(0o22),
    env: mostly({ A: 'b' }),
    limits: mostly({ maxOutput: 100 }),
    binds: mostly([{ source: '/tmp', destination: '/a', mode: 'copy' }]),
    allowedUrls: mostly(['https://a.example/']),
    credentials: mostly([{ url: 'https://a.example/', token: 't' }]),
  },
  { requiredKeys: [] },
)
const content = fc.oneof({ weight: 6, arbitrary: config }, { weight: 2, arbitrary: table }, value)

const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(4),
  put: fc.oneof(
    oddText,
    fc.constantFrom('', '"', '[', ']', '{', '}', ',', '=', '\n', '\ufeff', '[['.repeat(3000)),
  ),
})

/** Bytes that are nearly a text. */
function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(
      text,
      fc.oneof(fc.constant([]), fc.array(damage, { maxLength: 2 })),
      fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(255) }),
    )
    .map(([whole, damages, byte]) => {
      const changed = damages.reduce((held, { at, cut, put }) => {
        const start = Math.floor(at * held.length)
        return held.slice(0, start) + put + held.slice(start + cut)
      }, whole)
      return Buffer.concat([Buffer.from(changed), Buffer.from(byte === null ? [] : [byte])])
    })
}

/** JSON, most of it whole. */
export const jsonFile: fc.Arbitrary<Uint8Array> = damaged(
  fc.oneof(
    { weight: 20, arbitrary: content.map((data) => JSON.stringify(data) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom('[', '{"a":').map((open) => open.repeat(50_000)) },
  ),
)

const tomlValue = fc.oneof(
  value.map((data) => inline(data)),
  fc.constantFrom(
    '1979-05-27T07:32:00Z',
    '0x1f',
    '0o22',
    '1_000',
    'inf',
    '-nan',
    '9223372036854775808',
    "'''a'''",
    '"\\u0000"',
  ),
)
const tomlLine = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, tomlValue).map(([name, text]) => `${keyText(name)} = ${text}`) },
  { weight: 2, arbitrary: key.map((name) => `[${keyText(name)}]`) },
  { weight: 2, arbitrary: key.map((name) => `[[${keyText(name)}]]`) },
  {
    weight: 1,
    arbitrary: fc.tuple(key, key, tomlValue).map(([a, b, text]) => `${keyText(a)}.${keyText(b)} = ${text}`),
  },
  { weight: 1, arbitrary: fc.constant('# a comment') },
)

/** TOML, most of it whole. */
export const tomlFile: fc.Arbitrary<Uint8Array> = damaged(
  fc.oneof(
    fc.array(tomlLine, { maxLength: 8 }).map((lines) => lines.join('\n')),
    config.map((data) =>
      Object.entries(data)
        .map(([name, held]) => `${name} = ${inline(held)}`)
        .join('\n'),
    ),
  ),
)

function keyText(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
}

function inline(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(inline).join(', ')}]`
  if (typeof data === 'object' && data !== null) {
    return `{ ${Object.entries(data)
      .map(([name, held]) => `${keyText(name)} = ${inline(held)}`)
      .join(', ')} }`
  }
  return JSON.stringify(data) ?? '0'
}

const section = fc.constantFrom(
  '[limits]\nmax_output = 10',
  '[limits]\nmax_output = 0',
  '[limits]\nmax_output = -1',
  '[limits]\nmax_fds = "many"',
  '[limits]\nmax_output = 9223372036854775807',
  '[[bind]]\nsource = "/usr/share/zoneinfo/Etc"\ndestination = "/a"\nreadonly = true',
  '[[bind]]\nsource = "/nope"\ndestination = "/a"\nmode = "direct"',
  '[[bind]]\nsource = 1\ndestination = "/a"\nmode = "direct"',
  '[[bind]]\nsource = "/usr/share/zoneinfo/Etc"\ndestination = "b/../c"\nmode = "copy"',
  '[[cred]]\nurl = "https://a.example/"\nkind = "bearer"\napi_key = "t"',
  '[[cred]]\nurl = "nope"\nkind = "none"',
  '[env]\nA = "b"',
  '[env]\nA = 1',
)

/** A config file for the engine: nothing of it starts a process. */
export const engineFile: fc.Arbitrary<Uint8Array> = damaged(
  fc
    .tuple(fc.array(section, { maxLength: 2 }), fc.oneof({ weight: 3, arbitrary: fc.constant('') }, tomlLine))
    .map(([sections, line]) => [...sections, line].join('\n')),
).filter((bytes) => !/mcp/i.test(Buffer.from(bytes).toString('latin1')))

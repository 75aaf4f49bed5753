import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/config/secret.ts'
import { resolveConfig } from '../../../src/strands-shell/config/resolve.ts'
import type { StrandsShellConfig } from '../../../src/strands-shell/config/types.ts'
import { refusalOf } from '../../sandbox/refusal.ts'

const defaults = {
  record: {
    binds: [],
    credentials: [],
    allowedUrls: [],
    env: [],
    writable: ['/workspace'],
    limits: {},
    engine: 'strands',
    mirror: { maxFiles: 5000, maxBytes: 67_108_864 },
  },
  isolation: undefined,
  onInterrupt: 'keep',
  onLost: 'reopen',
  checkpoints: 'never',
  maxPending: 1000,
  labels: {},
  policies: [],
  policyTimeout: 5,
  approvalTimeout: 300,
  checkpoint: { maxBytes: 2 ** 29, maxText: 2 ** 25 },
}

/** What a config of one problem is refused for. */
function refusal(config: unknown): string {
  return refusalOf(() => resolveConfig(config)).message.replace('Invalid sandbox config: ', '')
}

describe('resolveConfig', () => {
  test.each([
    [undefined],
    [{}],
    [{ binds: undefined, limits: { maxFds: undefined }, env: {}, timeout: undefined }],
    [{ limits: { mirrorMaxFiles: undefined, mirrorMaxBytes: undefined } }],
  ])('fills in the defaults (%#)', (config) => {
    expect(resolveConfig(config)).toEqual(defaults)
  })

  test('resolves every field', () => {
    const policy = () => 'allow' as const
    const config: StrandsShellConfig = {
      binds: [
        { source: 'data', destination: '/data/' },
        { source: '/srv/./lib', destination: '/lib', mode: 'copy', readonly: true },
        { source: '/srv', destination: '/tmp', mode: 'copy' },
        { source: '/big', destination: '/data/big', mode: 'passthrough', readonly: false },
        { source: '/repo', destination: '/repo', exclude: ['node_modules/', '!*.log', '#'] },
        { source: '/repo', destination: '/old', mode: 'copy', readonly: true, exclude: ['.git'] },
        { source: '/repo', destination: '/live', readonly: true, exclude: [] },
      ],
      credentials: [
        { url: 'https://API.example.com/', token: 'hush' },
        { url: 'https://b.example.com', envVar: 'TOKEN' },
      ],
      allowedUrls: ['http://127.0.0.1:8080/a'],
      env: { A: '1', B: '' },
      umask: 0o077,
      timeout: 2.5,
      limits: { maxOutput: 1, maxDepth: 2 ** 32 - 1, mirrorMaxFiles: 7, mirrorMaxBytes: 2 ** 40 },
      configFile: 'shell.toml',
      files: { '/in//a': 'x', '/in': { directory: 'fixtures', exclude: ['*.log'] } },
      cwd: '/work/',
      init: 'x=1',
      writable: ['/work', '/cache/'],
      network: 'restricted',
      isolation: 'worker',
      onInterrupt: 'reset',
      onLost: 'fail',
      checkpoint: { every: 60, idle: 5 },
      maxPending: 1,
      labels: { tenant: 'a' },
      policy,
      policyTimeout: 2,
      approvalTimeout: 60,
    }
    expect(resolveConfig(config)).toEqual({
      record: {
        binds: [
          { source: resolve('data'), destination: '/data', mode: 'direct', readonly: false },
          { source: '/srv/lib', destination: '/lib', mode: 'copy', readonly: true },
          { source: '/srv', destination: '/tmp', mode: 'copy', readonly: false },
          { source: '/big', destination: '/data/big', mode: 'passthrough', readonly: false },
          {
            source: '/repo',
            destination: '/repo',
            mode: 'direct',
            readonly: false,
            exclude: ['node_modules/', '!*.log', '#'],
          },
          { source: '/repo', destination: '/old', mode: 'copy', readonly: true, exclude: ['.git'] },
          { source: '/repo', destination: '/live', mode: 'direct', readonly: true },
        ],
        credentials: [
          { url: 'https://api.example.com/', token: new Secret('hush') },
          { url: 'https://b.example.com', envVar: 'TOKEN' },
        ],
        allowedUrls: ['http://127.0.0.1:8080/a'],
        env: [
          ['A', '1'],
          ['B', ''],
        ],
        umask: 0o077,
        timeout: 2.5,
        limits: { maxOutput: 1, maxDepth: 2 ** 32 - 1 },
        engine: 'strands',
        mirror: { maxFiles: 7, maxBytes: 2 ** 40 },
        configFile: resolve('shell.toml'),
        files: [['/in/a', new TextEncoder().encode('x')]],
        directories: [{ path: '/in', source: resolve('fixtures'), exclude: ['*.log'] }],
        cwd: '/work',
        init: 'x=1',
        writable: ['/work', '/cache'],
        network: 'restricted',
      },
      isolation: 'worker',
      onInterrupt: 'reset',
      onLost: 'fail',
      checkpoints: { every: 60, idle: 5 },
      maxPending: 1,
      labels: { tenant: 'a' },
      policies: [policy],
      policyTimeout: 2,
      approvalTimeout: 60,
      checkpoint: defaults.checkpoint,
    })
  })

  test('copies the config and freezes the result', () => {
    const bind = { source: '/a', destination: '/a', exclude: ['b'] }
    const config = { binds: [bind], env: { A: '1' }, allowedUrls: ['http://a/'], limits: { maxFds: 1 } }
    const resolved = resolveConfig(config)
    const before = structuredClone(resolved)
    bind.source = '/etc'
    bind.exclude.push('c')
    config.binds.length = 0
    config.env.A = '2'
    config.allowedUrls.push('http://b/')
    config.limits.maxFds = 2
    expect(resolved).toEqual(before)
    expect(unfrozen(resolved)).toEqual([])
  })

  test('reads each field once, getters included', () => {
    let reads = 0
    const config = {
      get timeout() {
        return ++reads === 1 ? 5 : -1
      },
    }
    expect([resolveConfig(config).record.timeout, reads]).toEqual([5, 1])
  })

  test('resolves relative paths against the current working directory', () => {
    const before = process.cwd()
    try {
      process.chdir('/')
      const { record } = resolveConfig({
        binds: [{ source: 'srv', destination: '/a' }],
        configFile: './c.toml',
      })
      expect([record.binds[0]?.source, record.configFile]).toEqual(['/srv', '/c.toml'])
    } finally {
      process.chdir(before)
    }
  })

  test('lists every problem, and names the first field', () => {
    expect(
      refusalOf(() => resolveConfig({ umask: 512, timeout: -1, limits: { maxFds: 0 }, timout: 3 })),
    ).toEqual({
      field: 'umask',
      message: `Invalid sandbox config, 4 problems:
- umask must be an integer from 0 to 0o777, but is 512 (a number). Write it in octal, like 0o022.
- timeout must be a number of seconds from 0.001 to 86400 (a day), but is -1 (a number). Leave it out for the default of 30 seconds.
- limits.maxFds must be an integer from 1 to 4294967295, but is 0 (a number). A limit cannot be switched off: leave it out for its default.
- timout is not a known field. Did you mean "timeout"?`,
    })
  })

  test('cuts a long list of problems', () => {
    const { message } = refusalOf(() => resolveConfig({ allowedUrls: Array(1000).fill('x') }))
    expect([message.split('\n').length, message.split('\n').at(-1)]).toEqual([12, '- and 990 more.'])
  })
})

describe('resolveConfig takes', () => {
  test.each([
    [
      { source: '/x', destination: '/a' },
      { source: '/xy', destination: '/b' },
    ],
    [
      { source: '/x', destination: '/a' },
      { source: '/x', destination: '/b', readonly: true },
    ],
    [
      { source: '/x', destination: '/a', mode: 'copy' },
      { source: '/x/y', destination: '/b' },
    ],
    [
      { source: '/x', destination: '/a' },
      { source: '/x/y', destination: '/b', mode: 'passthrough' },
    ],
    [
      { source: '/x', destination: '/a' },
      { source: '/y', destination: '/a/b' },
    ],
  ] as const)('binds that share files or places without harm (%#)', (...binds) => {
    const taken = resolveConfig({ binds }).record.binds.map(({ destination }) => destination)
    expect(taken).toEqual(binds.map(({ destination }) => destination))
  })
})

describe('resolveConfig refuses', () => {
  test.each([
    [null, 'null'],
    ['hush', 'a string of 4 characters'],
    [[], 'an array'],
    [new Map([['timeout', 1]]), 'an object that is not plain (an instance of a class)'],
    [new (class Config {})(), 'an object that is not plain (an instance of a class)'],
    [(): void => undefined, 'a function'],
  ])('a config that is no plain object (%#)', (config, kind) => {
    expect(refusal(config)).toBe(`config must be a plain object, but is ${kind}.`)
  })

  test.each([
    ['{"__proto__":{"timeout":1}}', '__proto__'],
    ['{"constructor":{"prototype":{}}}', 'constructor'],
    ['{"prototype":1}', 'prototype'],
    ['{"toString":1}', 'toString'],
    ['{"limits":{"__proto__":1}}', 'limits.__proto__'],
    ['{"binds":[{"source":"/a","destination":"/a","constructor":1}]}', 'binds[0].constructor'],
    ['{"credentials":[{"url":"http://a","token":"t","__proto__":1}]}', 'credentials[0].__proto__'],
  ])('unknown and hostile keys: %s', (json, field) => {
    expect(refusal(JSON.parse(json))).toMatch(
      new RegExp(`^${field.replaceAll(/[[\]]/g, '\\$&')} is not a known field\\. Known here: `),
    )
    expect('timeout' in {}).toBe(false)
  })

  const seconds = 'timeout must be a number of seconds from 0.001 to 86400 (a day), but is'
  test.each([0, -1, Number.NaN, Infinity, 1e300, 86_400.001, 1e-300])('the timeout %d', (timeout) => {
    expect(refusal({ timeout })).toBe(
      `${seconds} ${timeout} (a number). Leave it out for the default of 30 seconds.`,
    )
  })

  test.each([0, -1, 1.5, Number.NaN, 2 ** 32, Infinity, '8'])('the limit %j', (maxFds) => {
    expect(refusal({ limits: { maxFds } })).toMatch(
      /^limits\.maxFds must be an integer from 1 to 4294967295, but is /,
    )
  })

  test.each([
    [
      { umask: -1 },
      'umask must be an integer from 0 to 0o777, but is -1 (a number). Write it in octal, like 0o022.',
    ],
    [
      { umask: '022' },
      'umask must be an integer from 0 to 0o777, but is "022" (a string). Write it in octal, like 0o022.',
    ],
    [{ maxPending: 0 }, 'maxPending must be a positive integer, but is 0 (a number).'],
    [{ maxPending: Infinity }, 'maxPending must be a positive integer, but is Infinity (a number).'],
    [{ isolation: 'cell' }, `isolation must be 'worker', 'shared' or 'process', but is "cell" (a string).`],
    [
      { onInterrupt: 'restart' },
      `onInterrupt must be 'keep', 'reset' or 'restore', but is "restart" (a string).`,
    ],
    [{ onLost: true }, `onLost must be 'reopen', 'fail' or 'restore', but is true (a boolean).`],
    [
      { checkpoint: 'calls' },
      `checkpoint must be 'call', 'never' or an object like { every: 60, idle: 5 }, but is "calls" (a string).`,
    ],
    [{ checkpoint: {} }, 'checkpoint must have every, idle or both.'],
    [
      { checkpoint: { idle: 0 } },
      'checkpoint.idle must be a number of seconds from 0.01 to 86400 (a day), but is 0 (a number).',
    ],
    [{ configFile: '' }, 'configFile must be the path of a TOML file, but is "" (a string).'],
    [
      { configFile: 'a\0' },
      'configFile must be the path of a TOML file, but holds a NUL character at offset 1.',
    ],
    [{ limits: [] }, 'limits must be a plain object of limits, but is an array.'],
    [
      { writable: ['/data', '/home'] },
      'writable[1] must not be /home: the engine takes no new entries there. Name a directory below it, like "/home/work".',
    ],
    [
      { files: { '/usr/bin': { directory: '/a' } } },
      'files["/usr/bin"] must not be /usr/bin: the engine takes no new entries there. Name a directory below it, like "/usr/bin/work".',
    ],
  ])('what is out of range or of the wrong type (%#)', (config, message) => {
    expect(refusal(config)).toBe(message)
  })

  const place = 'must be an absolute path inside the sandbox, without "..", but'
  const taken = (path: string, advice = "Bind below it, or with mode 'copy', which adds to it."): string =>
    `must be a new place, but ${path} is a directory of the engine's own. ${advice}`
  const noExclude =
    "is for writable direct binds and for copies: any other shows the host directory as it is. Leave it out, or bind with mode 'copy'."
  const pattern = 'must be a .gitignore pattern, but'
  const onePattern = 'Give one pattern each, such as "node_modules/".'
  test.each([
    [{ destination: '/a' }, 'binds[0].source is missing.'],
    [{ source: '/a' }, 'binds[0].destination is missing.'],
    [
      { source: '', destination: '/a' },
      'binds[0].source must be the path of a host directory, but is "" (a string).',
    ],
    [
      { source: '/a\0', destination: '/a' },
      'binds[0].source must be the path of a host directory, but holds a NUL character at offset 2.',
    ],
    [
      { source: '/\ud800', destination: '/a' },
      'binds[0].source must be the path of a host directory, but holds half of a surrogate pair, which no encoding can carry.',
    ],
    [
      { source: new URL('file:///a'), destination: '/a' },
      'binds[0].source must be the path of a host directory, but is an object that is not plain (an instance of a class).',
    ],
    [
      { source: '/a', destination: 'a' },
      `binds[0].destination ${place} is "a" (a string). Begin it with "/".`,
    ],
    [
      { source: '/a', destination: '/a/../b' },
      `binds[0].destination ${place} is "/a/../b" (a string). Begin it with "/".`,
    ],
    [
      { source: '/a', destination: '/a\0' },
      `binds[0].destination ${place} holds a NUL character at offset 2. Begin it with "/".`,
    ],
    [{ source: '/a', destination: '/' }, `binds[0].destination ${taken('/', 'Bind below it.')}`],
    [{ source: '/a', destination: '/tmp/', mode: 'direct' }, `binds[0].destination ${taken('/tmp')}`],
    [
      { source: '/a', destination: '/a', mode: 'rw' },
      `binds[0].mode must be 'direct', 'copy' or 'passthrough', but is "rw" (a string).`,
    ],
    [{ source: '/a', destination: '/tmp', mode: 'passthrough' }, `binds[0].destination ${taken('/tmp')}`],
    [
      { source: '/a', destination: '/a', mode: 'passthrough', readonly: true },
      `binds[0].mode must not be 'passthrough' for a read-only bind. Use 'direct', which shows the host directory as it is.`,
    ],
    [{ source: '/a', destination: '/a', readonly: true, exclude: ['b'] }, `binds[0].exclude ${noExclude}`],
    [
      { source: '/a', destination: '/a', mode: 'passthrough', exclude: ['b'] },
      `binds[0].exclude ${noExclude}`,
    ],
    [
      { source: '/a', destination: '/a', exclude: 'b' },
      'binds[0].exclude must be an array of .gitignore patterns, but is a string of 1 character.',
    ],
    [
      { source: '/a', destination: '/a', exclude: ['b', ''] },
      `binds[0].exclude[1] ${pattern} is "" (a string). ${onePattern}`,
    ],
    [
      { source: '/a', destination: '/a', exclude: ['b\nc'] },
      `binds[0].exclude[0] ${pattern} is "b\\nc" (a string). ${onePattern}`,
    ],
    [
      { source: '/a', destination: '/a', exclude: ['b\0'] },
      `binds[0].exclude[0] ${pattern} holds a NUL character at offset 1. ${onePattern}`,
    ],
    [
      { source: '/a', destination: '/a', exclude: [/b/] },
      `binds[0].exclude[0] ${pattern} is an object that is not plain (an instance of a class). ${onePattern}`,
    ],
    [
      { source: '/a', destination: '/a', readonly: 'yes' },
      'binds[0].readonly must be true or false, but is "yes" (a string).',
    ],
    [
      { source: '/a', destination: '/a', readOnly: true },
      'binds[0].readOnly is not a known field. Did you mean "readonly"?',
    ],
    [
      '/a:/a',
      'binds[0] must be a plain object like { source, destination }, but is a string of 5 characters.',
    ],
  ])('a bind that cannot be made (%#)', (bind, message) => {
    expect(refusal({ binds: [bind] })).toBe(message)
  })

  test('two binds with the same destination, however it is spelled', () => {
    const binds = ['/a/b', '/c', '//a/./b/'].map((destination) => ({ source: '/x', destination }))
    expect(refusalOf(() => resolveConfig({ binds }))).toEqual({
      field: 'binds[2].destination',
      message:
        'Invalid sandbox config: binds[2].destination repeats that of binds[0]. Give each bind a place of its own.',
    })
  })

  test.each([
    [['/x', '/x/'], 'is the same as that of binds[0], "/x"'],
    [['/x', '/x/y'], 'lies inside that of binds[0], "/x"'],
    [['/x/y', '/x'], 'holds that of binds[0], "/x/y"'],
    [['/', '/x'], 'lies inside that of binds[0], "/"'],
    [['.', resolve('test')], `lies inside that of binds[0], ${JSON.stringify(resolve())}`],
  ])('two writable direct binds of the same files: %j', (sources, relation) => {
    const binds = sources.map((source, index) => ({ source, destination: `/${index}` }))
    expect(refusalOf(() => resolveConfig({ binds }))).toEqual({
      field: 'binds[1].source',
      message: `Invalid sandbox config: binds[1].source ${relation}: both are writable direct binds and would write the same files. Keep one of them, or make the other readonly or a copy.`,
    })
  })

  test.each(['mirrorMaxFiles', 'mirrorMaxBytes'])('%s that is no positive integer', (name) => {
    for (const value of [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '8']) {
      expect(refusal({ limits: { [name]: value } })).toMatch(
        `limits.${name} must be a positive integer, but is `,
      )
    }
  })

  test('values that are not arrays, and arrays with holes', () => {
    const holed: unknown[] = []
    holed[1] = 'http://a/'
    expect(
      [
        { binds: {} },
        { binds: 'x' },
        { credentials: null },
        { allowedUrls: holed },
        { allowedUrls: new Set() },
      ].map(refusal),
    ).toEqual([
      'binds must be an array of binds, but is an object.',
      'binds must be an array of binds, but is a string of 1 character.',
      'credentials must be an array of credentials, but is null.',
      'allowedUrls must be an array of address prefixes, but is an array with a hole at index 0.',
      'allowedUrls must be an array of address prefixes, but is an object that is not plain (an instance of a class).',
    ])
  })

  const prefix = 'must be an http or https address prefix with a host, but'
  const example =
    'Write it like "https://api.example.com/": no user name, no password, no spaces, no wildcard in the host.'
  const tokenRule = 'credentials[0].token must be a token of printable ASCII characters, but'
  const trim = 'Trim it: a line break at its end is a common slip.'
  test.each([
    [{ url: 'https://a' }, 'credentials[0] must have exactly one of token and envVar, but has neither.'],
    [
      { url: 'https://a', token: 't', envVar: 'T' },
      'credentials[0] must have exactly one of token and envVar, but has both.',
    ],
    [{ token: 't' }, 'credentials[0].url is missing.'],
    [
      { url: 'https://u:hush@a/', token: 't' },
      `credentials[0].url ${prefix} is a string of 17 characters. ${example}`,
    ],
    [
      { url: 'https://a/\0', token: 't' },
      `credentials[0].url ${prefix} holds a NUL character at offset 10. ${example}`,
    ],
    [{ url: 'https://a', token: '' }, `${tokenRule} is a string of 0 characters. ${trim}`],
    [{ url: 'https://a', token: 'hush\r\nX: 1' }, `${tokenRule} is a string of 10 characters. ${trim}`],
    [{ url: 'https://a', token: 12345 }, `${tokenRule} is a number. ${trim}`],
    [
      { url: 'https://a', envVar: 'hush-hush' },
      'credentials[0].envVar must be the name of an environment variable, but is a string of 9 characters. Name the variable that holds the token; the token itself goes into token.',
    ],
    [
      { url: 'https://a', tokn: 'hush' },
      'credentials[0] has a key that is not a known field. Did you mean "token"?',
    ],
    [
      { url: 'https://a', 'hush-hush': 't' },
      'credentials[0] has a key that is not a known field. Known here: url, token, envVar.',
    ],
    ['hush', 'credentials[0] must be a plain object like { url, token }, but is a string of 4 characters.'],
  ])('a credential that is not one, without showing it (%#)', (credential, message) => {
    expect(refusal({ credentials: [credential] })).toBe(message)
  })

  test.each(['?k=hush', '/?k=hush', '/#', '/hush', '/hush/', '/..', '/%2e%2e/', '//'])(
    'a credential for less than a host: %s',
    (path) => {
      expect(refusal({ credentials: [{ url: `https://a${path}`, token: 't' }] })).toBe(
        'credentials[0].url must name a whole host and nothing below it, like "https://api.example.com/": a token for "/v1" would also go to "/v1/../other", since the engine compares text.',
      )
    },
  )

  test('strings that are not URLs', () => {
    expect(refusal({ allowedUrls: ['http://ok/', 'localhost:80'] })).toBe(
      `allowedUrls[1] ${prefix} is a string of 12 characters. ${example}`,
    )
  })

  test('variables that cannot be set, naming each and showing no value', () => {
    const env = JSON.parse(
      '{"OK":"hush","A-B":"hush","__proto__":"hush","NUL":"hush\\u0000","N":12345,"U":null}',
    )
    expect(refusalOf(() => resolveConfig({ env }))).toEqual({
      field: 'env["A-B"]',
      message: `Invalid sandbox config, 5 problems:
- env["A-B"] is not a valid variable name: use letters, digits and underscores, and begin with no digit.
- env.__proto__ is reserved: choose another name for the variable.
- env.NUL must be text, but holds a NUL character at offset 4.
- env.N must be a string, but is a number. Convert the value, or leave the variable out.
- env.U must be a string, but is null. Convert the value, or leave the variable out.`,
    })
    expect(refusal({ env: ['A=hush'] })).toBe(
      'env must be a plain object of variable names and strings, but is an array.',
    )
    expect(refusal({ env: process.env })).toBe(
      'env must be a plain object of variable names and strings, but is an object that is not plain (an instance of a class).',
    )
  })
})

/** The paths of the objects in a value that can still be changed. */
function unfrozen(value: unknown, path = 'config'): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, child]) => unfrozen(child, `${path}.${key}`))
  return Object.isFrozen(value) ? inside : [path, ...inside]
}

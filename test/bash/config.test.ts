import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { resolveBashConfig } from '../../src/bash/config/resolve.ts'

const run = (): string => 'x'

it.each<[config: unknown, field: string]>([
  [{ files: { 'a.txt': '' } }, 'files["a.txt"]'],
  [{ files: { '/a': 1 } }, 'files["/a"]'],
  [{ files: [] }, 'files'],
  [{ files: { '/': { directory: 'x' } } }, 'files["/"]'],
  [{ files: { '/a': {} } }, 'files["/a"].directory'],
  [{ files: { '/a': { directory: '' } } }, 'files["/a"].directory'],
  [{ files: { '/a': { directory: 'x', exclude: 'y' } } }, 'files["/a"].exclude'],
  [{ files: { '/a': { directory: 'x', exclude: ['y', ''] } } }, 'files["/a"].exclude[1]'],
  [{ files: { '/a': { directory: 'x', excludes: [] } } }, 'files["/a"].excludes'],
  [{ files: { '/a': { base64: 'ä' } } }, 'files["/a"].base64'],
  [{ files: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`/${n}`, ''])) }, 'files'],
  [{ writable: ['w'] }, 'writable[0]'],
  [{ network: 'none' }, 'network'],
  [{ cwd: 'tmp' }, 'cwd'],
  [{ init: 1 }, 'init'],
  [{ python: 'yes' }, 'python'],
  [{ limits: { maxMemory: 1 } }, 'limits.maxMemory'],
  [{ allowedUrls: 'http://a.example/' }, 'allowedUrls'],
  [{ allowedUrls: ['http://a.example/', 'a.example'] }, 'allowedUrls[1]'],
  [{ allowedUrls: ['http://user@a.example/'] }, 'allowedUrls[0]'],
  [{ allowedUrls: ['http://a.example/%ff'] }, 'allowedUrls[0]'],
  [{ credentials: [{ url: 'http://a.example/v1', token: 'x' }] }, 'credentials[0].url'],
  [{ credentials: [{ url: 'http://a.example/' }] }, 'credentials[0]'],
  [{ commands: [] }, 'commands'],
  [{ commands: { weather: 1 } }, 'commands.weather'],
  [{ commands: { weather: { run } } }, 'commands.weather.description'],
  [{ commands: { weather: { description: 'x\0', run } } }, 'commands.weather.description'],
  [{ commands: { weather: { description: 'x', help: 1, run } } }, 'commands.weather.help'],
  [{ commands: { weather: { description: 'x', run: 'x' } } }, 'commands.weather.run'],
  [{ commands: { cd: { description: 'x', run } } }, 'commands.cd'],
  [{ commands: { 'a b': { description: 'x', run } } }, 'commands["a b"]'],
  [{ commands: { __save: { description: 'x', run } } }, 'commands.__save'],
  [{ bind: [] }, 'bind'],
  [{ binds: [{ source: '/a', destination: 'b' }] }, 'binds[0].destination'],
  [{ binds: [{ source: '/a', destination: '/' }] }, 'binds[0].destination'],
  [{ binds: [{ source: '/a', destination: '/usr/bin', mode: 'copy' }] }, 'binds[0].destination'],
  [{ binds: [{ source: '/a', destination: '/b', mode: 'passthrough' }] }, 'binds[0].mode'],
  [{ binds: [{ source: '/a', destination: '/b', readonly: true, exclude: ['x'] }] }, 'binds[0].exclude'],
  [
    {
      binds: [
        { source: '/a', destination: '/b' },
        { source: '/c', destination: '/b/' },
      ],
    },
    'binds[1].destination',
  ],
  [{ binds: [{ source: '/a', destination: '/b' }], files: { '/b/c': '' } }, 'files["/b/c"]'],
  [{ binds: [{ source: '/a', destination: '/b' }], files: { '/b/c': { directory: 'x' } } }, 'files["/b/c"]'],
  [{ binds: [{ source: '/a', destination: '/b', readonly: true }], writable: ['/b/c'] }, 'writable[0]'],
])('rejects a config that is not valid (%#)', (config, field) => {
  expect(() => Reflect.apply(resolveBashConfig, undefined, [config])).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', field }),
  )
})

it('hides the tokens of a config, and normalizes its addresses', () => {
  const {
    session: { record },
  } = resolveBashConfig({
    allowedUrls: ['HTTP://A.example:80/x'],
    credentials: [{ url: 'https://B.example:443', token: 'a-token' }],
  })
  expect(record.allowedUrls).toEqual(['http://a.example/x'])
  expect(record.credentials).toMatchObject([{ url: 'https://b.example' }])
  expect(inspect(record, { depth: 9, showHidden: true })).not.toContain('a-token')
})

it('says what to use in place of a mode that has no meaning here', () => {
  const config = { binds: [{ source: '/a', destination: '/b', mode: 'passthrough' }] }
  expect(() => Reflect.apply(resolveBashConfig, undefined, [config])).toThrow(
    /must be 'direct' or 'copy'.*live/,
  )
})

it('takes binds at places that are directories of the other engine', () => {
  const {
    session: { record },
  } = resolveBashConfig({ binds: [{ source: 'x', destination: '/tmp//' }] })
  expect(record.binds).toEqual([
    { source: `${process.cwd()}/x`, destination: '/tmp', mode: 'direct', readonly: false },
  ])
})

it('completes a config', () => {
  const { session, commands, maxOutput } = resolveBashConfig({
    files: { '/a//b': 'x' },
    commands: { weather: { description: 'tells the weather', run } },
  })
  const { engine, record, ...runtime } = session
  expect(runtime).toEqual({
    isolation: undefined,
    onInterrupt: 'keep',
    onLost: 'restore',
    checkpoints: 'call',
    maxPending: 1000,
    labels: {},
    policies: [],
    policyTimeout: 5,
    approvalTimeout: 300,
    checkpoint: { maxBytes: 268435456, maxText: 33554432 },
  })
  expect([engine.key, engine.heapMegabytes]).toEqual(['bash 256', 384])
  expect(record).toEqual({
    engine: 'bash',
    binds: [],
    credentials: [],
    allowedUrls: [],
    env: [],
    files: [['/a/b', new TextEncoder().encode('x')]],
    cwd: '/home/user',
    python: false,
    handsOver: 'call',
    commands: [{ name: 'weather', description: 'tells the weather', help: 'tells the weather' }],
    limits: { maxOutput: 10485760, maxFileSystem: 268435456, maxFileSize: 268435456, maxMemory: 268435456 },
  })
  expect([maxOutput, commands.map(({ name }) => name)]).toEqual([10485760, ['weather']])
})

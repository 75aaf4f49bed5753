import { expect, it } from 'vitest'
import { resolveBashConfig } from '../../src/bash/config/resolve.ts'

it.each([
  [{ files: { 'a.txt': '' } }, 'files["a.txt"]'],
  [{ files: { '/a': 1 } }, 'files["/a"]'],
  [{ files: [] }, 'files'],
  [{ cwd: 'tmp' }, 'cwd'],
  [{ init: 1 }, 'init'],
  [{ python: 'yes' }, 'python'],
  [{ limits: { maxMemory: 1 } }, 'limits.maxMemory'],
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
])('rejects a config that is not valid (%#)', (config, field) => {
  expect(() => Reflect.apply(resolveBashConfig, undefined, [config])).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', field }),
  )
})

it('says what to use in place of a mode that has no meaning here', () => {
  const config = { binds: [{ source: '/a', destination: '/b', mode: 'passthrough' }] }
  expect(() => Reflect.apply(resolveBashConfig, undefined, [config])).toThrow(
    /must be 'direct' or 'copy'.*live/,
  )
})

it('takes binds at places that are directories of the other engine', () => {
  const { record } = resolveBashConfig({ binds: [{ source: 'x', destination: '/tmp//' }] })
  expect(record.binds).toEqual([
    { source: `${process.cwd()}/x`, destination: '/tmp', mode: 'direct', readonly: false },
  ])
})

it('completes a config', () => {
  const { engine, record, ...runtime } = resolveBashConfig({ files: { '/a//b': 'x' } })
  expect(runtime).toEqual({ isolation: undefined, onInterrupt: 'keep', onLost: 'reopen', maxPending: 1000 })
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
    limits: { maxOutput: 10485760, maxFileSystem: 268435456, maxFileSize: 268435456, maxMemory: 268435456 },
  })
})

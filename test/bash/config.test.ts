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
  [{ binds: [] }, 'binds'],
])('rejects a config that is not valid (%#)', (config, field) => {
  expect(() => Reflect.apply(resolveBashConfig, undefined, [config])).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', field }),
  )
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

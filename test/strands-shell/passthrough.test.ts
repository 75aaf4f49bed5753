import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { factsOf } from './support/failure.ts'
import { hostActs } from './support/host-acts.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'

describe.each(backends)('the engine’s own direct binds ($name)', passthrough)

function passthrough(backend: Backend): void {
  it('a passthrough bind writes files to the host', async () => {
    const source = await hostDirectory({ file: 'old\n', gone: 'g' })
    const binds = [{ source, destination: '/work', mode: 'passthrough' as const }]
    const sandbox = await backend.open({ binds })
    await sandbox.writeText('/work/new', 'n')
    await sandbox.removeFile('/work/gone')
    expect(await treeOf(source)).toEqual({ file: 'old\n', new: 'n' })
    const described = await sandbox.describe()
    expect(described.binds).toEqual([{ source, destination: '/work', mode: 'passthrough', readonly: false }])
    expect(await sandbox.listFiles('/')).toContainEqual({ name: 'work', isDir: true, size: 0 })
  })

  it.each([
    ['passthrough', { mode: 'passthrough' }],
    ['read-only direct', { readonly: true }],
  ] as const)('%s shows the host as it is, also while a command runs', async (_what, how) => {
    const source = await hostDirectory({ file: 'before\n' })
    const { pause, allowedUrls } = await hostActs(() => plant(source, { file: 'during\n' }))
    const sandbox = await backend.open({ binds: [{ source, destination: '/work', ...how }], allowedUrls })
    expect(await sandbox.execute(`cat /work/file; ${pause}; cat /work/file`)).toEqual(
      result({ stdout: 'before\nduring\n' }),
    )
  })

  it.each([
    ['passthrough', { mode: 'passthrough' }],
    ['read-only direct', { readonly: true }],
  ] as const)('%s has no bounds, no changes and nothing to apply', async (_what, how) => {
    const source = await hostDirectory({ a: '1', b: '2', c: '3' })
    const sandbox = await backend.open({
      binds: [{ source, destination: '/work', ...how }],
      limits: { mirrorMaxFiles: 1, mirrorMaxBytes: 1 },
    })
    await sandbox.execute('echo n > /work/new')
    expect(await sandbox.changes()).toMatchObject({ changes: [] })
    expect((await sandbox.describe()).skipped).toEqual([])
    expect(await factsOf(sandbox.applyChanges({ bind: '/work' }))).toMatchObject({ field: 'bind' })
  })

  it('the same source can be mirrored and passed through; the mirror sees what came through at its next call', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const sandbox = await backend.open({
      binds: [
        { source, destination: '/mirror' },
        { source, destination: '/through', mode: 'passthrough' },
      ],
    })
    await sandbox.writeText('/through/new', 'n')
    expect(await sandbox.readText('/mirror/new')).toBe('n')
    await sandbox.execute('echo m > /mirror/made')
    expect(await sandbox.readText('/through/made')).toBe('m\n')
  })

  it('a single file can be a passthrough bind', async () => {
    const source = join(await hostDirectory({ file: 'old\n' }), 'file')
    const sandbox = await backend.open({ binds: [{ source, destination: '/one', mode: 'passthrough' }] })
    await sandbox.writeText('/one', 'new\n')
    expect(await treeOf(join(source, '..'))).toEqual({ file: 'new\n' })
  })
}

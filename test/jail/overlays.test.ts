import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'overlay-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  writeFileSync(join(path, 'a'), 'before\n')
  return path
}

describe.skipIf(noJails !== undefined)('overlays of a jail', () => {
  it('show the host its changes when they are applied', async () => {
    const source = directory()
    mkdirSync(join(source, 'secret'))
    await using sandbox = await JailSandbox.open({
      binds: [{ source, destination: '/work', mode: 'overlay', exclude: ['secret/'] }],
      cwd: '/work',
    })
    expect((await sandbox.execute('ls; echo after > a; echo new > b; exit 3')).stdout).toBe('a\n')
    const { changes, mark } = await sandbox.changes()
    expect(changes.map(({ change, path }) => `${change} ${path}`)).toEqual([
      'changed /work/a',
      'added /work/b',
    ])
    expect(readFileSync(join(source, 'a'), 'utf8')).toBe('before\n')
    expect((await sandbox.applyChanges({ bind: '/work', paths: ['/work/a'] })).written).toEqual(['/work/a'])
    expect(readFileSync(join(source, 'a'), 'utf8')).toBe('after\n')
    await sandbox.writeText('c', 'text')
    expect((await sandbox.changes({ since: mark })).changes.map(({ path }) => path)).toEqual(['/work/c'])
    await sandbox.execute('ln -s /etc/passwd out')
    await sandbox.changes()
    expect((await sandbox.describe()).skipped).toEqual([
      { bind: '/work', path: '/work/out', reason: 'link that leads out' },
    ])
  })

  it('tell conflicts', async () => {
    const source = directory()
    await using sandbox = await JailSandbox.open({
      binds: [{ source, destination: '/work', mode: 'overlay' }],
    })
    const told: string[] = []
    sandbox.on('conflict', ({ path, kept }) => told.push(`${path} ${kept}`))
    await sandbox.execute('echo theirs > /work/a')
    writeFileSync(join(source, 'a'), 'ours\n')
    const { conflicts } = await sandbox.applyChanges({ bind: '/work' })
    expect(conflicts).toEqual([
      { path: '/work/a', hostPath: join(source, 'a'), kept: '/work/a.host-conflict' },
    ])
    expect(told).toEqual(['/work/a /work/a.host-conflict'])
  })

  it('and binds that cannot be are refused', async () => {
    const source = directory()
    const open = (binds: NonNullable<ConstructorParameters<typeof JailSandbox>[0]>['binds']) =>
      JailSandbox.open({ binds: binds ?? [] })
    const overlay = { source, destination: '/work', mode: 'overlay' } as const
    await expect(open([{ ...overlay, readonly: true }])).rejects.toMatchObject({ field: 'binds[0].readonly' })
    await expect(open([{ source, destination: '/work', exclude: ['x'] }])).rejects.toMatchObject({
      field: 'binds[0].exclude',
    })
    await expect(open([{ source: '/run', destination: '/work' }])).rejects.toMatchObject({
      field: 'binds[0].source',
    })
    await expect(open([{ source: tmpdir(), destination: '/work' }])).rejects.toThrow(
      'keeps files of other sandboxes',
    )
    await expect(open([overlay, { source, destination: '/work/in' }])).rejects.toMatchObject({
      field: 'binds[1].destination',
    })
  })
})

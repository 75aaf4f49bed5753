import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeHost } from '../faults/helpers.ts'
import { treeOf } from '../strands-shell/support/host-tree.ts'
import { tierLevels } from '../support/describe-engines.ts'
import { refused, SECRET, tryAll } from './support/attempts.ts'
import { bindsOf, makePlaces, outside, reading, writing } from './support/file-attempts.ts'

describe.each(tierLevels)('files that are not granted (%s)', (isolation) => {
  const host = () =>
    makeHost({
      isolation,
      // What a jail would refuse anyway is refused without one.
      hardening: 'none',
      sandboxesPerCell: 100,
      maxCells: 1,
      sandboxesPerWorker: isolation === 'worker' ? undefined : 10,
    })

  it('cannot be read', async () => {
    const at = await makePlaces()
    expect(await tryAll(reading, host(), bindsOf, at)).toEqual(refused(reading))
    expect(await treeOf(at.out)).toEqual({ 'sub/': '', ...outside })
  })

  it('cannot be written, replaced or removed', async () => {
    const all = await Promise.all(writing.map(makePlaces))
    expect(await tryAll(writing, host(), bindsOf, all)).toEqual(refused(writing))
    const trees = await Promise.all(
      all.map(async ({ out, inner }) => [await treeOf(out), await treeOf(inner)]),
    )
    expect(trees).toEqual(writing.map(() => [{ 'sub/': '', ...outside }, { keep: 'kept\n' }]))
  })

  it('can be read and written where they are granted (the control)', async () => {
    const at = await makePlaces()
    const sandbox = await host().open(bindsOf(at))
    const { stdout } = await sandbox.execute(
      'cat /read/ok /work/ok /copy/ok /pass/ok; ln -s ok /work/l; cat /work/l; echo new > /work/new',
    )
    expect(stdout).toBe('granted\n'.repeat(5))
    expect(await readFile(join(at.in, 'new'), 'utf8')).toBe('new\n')
    expect(await readFile(join(at.in, 'abs'), 'utf8')).toBe(`${SECRET}\n`)
    expect(await readFile(join(at.in, 'sub/up/sub/secret'), 'utf8')).toBe(`${SECRET}\n`)
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { makeHost } from '../faults/helpers.ts'
import { treeOf } from '../strands-shell/support/host-tree.ts'
import { threadLevels } from '../support/describe-engines.ts'
import { type Opener, SECRET, tryAll } from './support/attempts.ts'
import { bindsOf, makePlaces, outside, reading, writing } from './support/file-attempts.ts'

describe.each(threadLevels)('files that are not granted to a bash sandbox (%s)', (isolation) => {
  /** What the other engine passes through is live here. */
  function opener(): Opener {
    const host = makeHost({ isolation, sandboxesPerWorker: isolation === 'worker' ? undefined : 10 })
    return {
      open: ({ binds = [] }) =>
        BashSandbox.open(
          { binds: binds.map((bind) => ({ ...bind, mode: bind.mode === 'copy' ? 'copy' : 'direct' })) },
          { host },
        ),
    }
  }

  const escapes = (outcomes: readonly unknown[]) =>
    outcomes.filter((outcome) => !JSON.stringify(outcome).includes('"escaped":false'))

  it('cannot be read', async () => {
    const at = await makePlaces()
    const outcomes = await tryAll(reading, opener(), bindsOf, at)
    expect([outcomes.length, escapes(outcomes)]).toEqual([reading.length, []])
    expect(JSON.stringify(outcomes)).not.toContain('root:x:0:0:root:/root:/usr')
    expect(await treeOf(at.out)).toEqual({ 'sub/': '', ...outside })
  })

  it('cannot be written, replaced or removed', async () => {
    const all = await Promise.all(writing.map(makePlaces))
    const outcomes = await tryAll(writing, opener(), bindsOf, all)
    expect([outcomes.length, escapes(outcomes)]).toEqual([writing.length, []])
    const trees = await Promise.all(
      all.map(async ({ out, inner }) => [await treeOf(out), await treeOf(inner)]),
    )
    expect(trees).toEqual(writing.map(() => [{ 'sub/': '', ...outside }, { keep: 'kept\n' }]))
  })

  it('can be read and written where they are granted (the control)', async () => {
    const at = await makePlaces()
    const sandbox = await opener().open(bindsOf(at))
    const { stdout } = await sandbox.execute(
      'cat /read/ok /work/ok /copy/ok /pass/ok; ln -s ok /work/l; cat /work/l; echo new > /work/new',
    )
    expect(stdout).toBe('granted\n'.repeat(5))
    expect(await readFile(join(at.in, 'new'), 'utf8')).toBe('new\n')
    expect(await readFile(join(at.in, 'abs'), 'utf8')).toBe(`${SECRET}\n`)
  })
})

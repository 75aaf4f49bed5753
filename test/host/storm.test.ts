import { expect, it } from 'vitest'
import { type BashSandbox, ShellHost } from '../../src/index.ts'
import { aborted, endOf, printed, until, within } from '../faults/helpers.ts'
import { byTier } from '../support/tier.ts'

const COUNT = byTier({ default: 60, full: 600 })

it('a storm of openings that are kept, closed, aborted and dropped settles, and leaves every place free', async () => {
  await using host = new ShellHost({ isolation: 'shared', maxSandboxes: 16, openTimeout: 60 })
  const open = async (index: number): Promise<unknown> => {
    const abort = new AbortController()
    const opening: Promise<BashSandbox> = host.open({ shell: 'bash' }, { signal: abort.signal })
    if (index % 4 === 0) setTimeout(() => abort.abort(), index % 7)
    const sandbox = await opening
    // The last of four is dropped: the host finds that out when the next ones wait.
    if (index % 4 === 3) return 'dropped'
    const end = await sandbox.execute(`echo ${index}`)
    await sandbox.close()
    return end.stdout
  }
  const ends = await within(60, Promise.all(Array.from({ length: COUNT }, (_, index) => endOf(open(index)))))
  for (const [index, end] of ends.entries()) {
    const wanted = [index % 4 === 3 ? 'dropped' : `${index}\n`, ...(index % 4 === 0 ? [aborted] : [])]
    expect(wanted).toContainEqual(end)
  }
  const all = await within(60, Promise.all(Array.from({ length: 16 }, () => host.open({ shell: 'bash' }))))
  expect(await all[15]?.execute('echo again')).toEqual(printed('again\n'))
  expect(host.stats()).toMatchObject({ open: 16, queued: 0, running: 0, waiting: 0 })
  for (const sandbox of all) await sandbox.close()
  await until(() => host.stats().leased === 0)
})

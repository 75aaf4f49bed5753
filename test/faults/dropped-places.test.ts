import { expect, it, vi } from 'vitest'
import type { EngineName, OpenConfig, ShellHost, ShellHostOptions } from '../../src/index.ts'
import { byTier, isFull } from '../support/tier.ts'
import { makeHost } from './helpers.ts'

/** Opens and uses a sandbox that nobody refers to afterwards. */
async function useOne(host: ShellHost, config: OpenConfig<EngineName> = {}): Promise<string> {
  return (await (await host.open<EngineName>(config)).execute('echo a')).stdout
}

interface Case {
  readonly options: ShellHostOptions
  readonly config?: (index: number) => OpenConfig<EngineName>
}

const cases: Readonly<Record<string, Case>> = {
  worker: { options: { isolation: 'worker', maxSandboxes: 2 } },
  shared: { options: { isolation: 'shared', maxSandboxes: 2 } },
  'shared, bash': { options: { isolation: 'shared', maxSandboxes: 2 }, config: () => ({ shell: 'bash' }) },
  process: { options: { isolation: 'process', maxSandboxes: 2, sandboxesPerCell: 1 } },
  'process, other allowedUrls each time, one cell': {
    options: { isolation: 'process', maxCells: 1 },
    config: (index) => ({ allowedUrls: [`https://${index}.example/`] }),
  },
}

const count = byTier({ default: 4, full: 6 })
const inDefaultTier: ReadonlySet<string> = new Set(['worker', 'process'])

it.each(Object.entries(cases).filter(([name]) => isFull || inDefaultTier.has(name)))(
  'sandboxes that nobody refers to give their places to those that wait (%s)',
  async (_, { options, config }) => {
    const host = makeHost({ ...options, openTimeout: 30 })
    for (let index = 0; index < count; index++) expect(await useOne(host, config?.(index))).toBe('a\n')
    const { opened, closed } = host.stats()
    expect([opened, (closed.dropped ?? 0) >= count - 2]).toEqual([count, true])
  },
)

it('sandboxes that nobody refers to give their places to one that may not wait', async () => {
  const host = makeHost({ isolation: 'shared', maxSandboxes: 2, maxQueued: 0 })
  for (let index = 0; index < 2; index++) await useOne(host)
  // A collection that has found nothing lets the next one wait for a second or more.
  await vi.waitFor(async () => expect(await useOne(host)).toBe('a\n'), { timeout: 60_000, interval: 100 })
})

it('sandboxes that somebody refers to keep their places', async () => {
  const host = makeHost({ isolation: 'shared', maxSandboxes: 1, openTimeout: 5 })
  const sandbox = await host.open()
  await sandbox.execute('x=kept')
  await expect(host.open()).rejects.toMatchObject({ saturation: { reached: ['maxSandboxes'], queued: 1 } })
  expect((await sandbox.execute('echo $x')).stdout).toBe('kept\n')
})

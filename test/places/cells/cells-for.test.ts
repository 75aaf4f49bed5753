import { expect, it } from 'vitest'
import type { StrandsShellSandbox } from '../../../src/index.ts'
import { until } from '../../faults/helpers.ts'
import { startServer } from '../../strands-shell/support/http-server.ts'
import { cellHost as watchedHost } from './egress/helpers.ts'
import { cellHost, told } from './helpers.ts'

const cellsFor = { label: 'tenant' }
const of = (tenant: string) => ({ labels: { tenant } })

it('sandboxes with different values never share a cell, and those with the same fill one first', async () => {
  const host = cellHost({ cellsFor, maxCells: 3, sandboxesPerCell: 2 })
  const opened: StrandsShellSandbox[] = []
  const cells: number[] = []
  for (const tenant of ['a', 'a', 'b', 'b', 'a']) {
    opened.push(await host.open(of(tenant)))
    cells.push(host.stats().cells)
  }
  expect([cells, opened.length]).toEqual([[1, 1, 2, 2, 3], 5])
})

it('a sandbox whose value has no cell waits for one, and the error names label and option', async () => {
  const host = cellHost({ cellsFor, openTimeout: 4 })
  const [a, b] = await Promise.all([host.open(of('a')), host.open(of('b'))])
  const error = await host.open(of('c')).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    code: 'HOST_SATURATED',
    message: expect.stringContaining(
      'none has the allowedUrls, the binds and the label tenant of this sandbox',
    ),
    saturation: { reached: ['maxCells'] },
  })
  const next = host.open(of('c'))
  await until(() => host.stats().queued === 1)
  await a.close()
  expect(await told((await next).execute('echo c'))).toBe('c\n')
  expect(b.status).toBe('open')
})

it('a value that fills its cells again and again gives one up to another that waits', async () => {
  const host = cellHost({ cellsFor, quotas: cellsFor, maxCells: 2, sandboxesPerCell: 3 })
  const held: StrandsShellSandbox[] = []
  for (let count = 0; count < 6; count += 1) held.push(await host.open(of('a')))
  const more = Promise.allSettled(Array.from({ length: 6 }, () => host.open(of('a'))))
  const other = host.open(of('b'))
  await until(() => host.stats().queued === 7)
  for (const sandbox of held.slice(0, 3)) await sandbox.close()
  expect(await told((await other).execute('echo b'))).toBe('b\n')
  await host.close()
  await more
})

it('a request is told with the label, also where it is not known of which sandbox it is', async () => {
  const server = await startServer()
  const { host, decisions } = watchedHost({ cellsFor })
  const allowed = (tenant: string, agent: string) =>
    host.open({ labels: { tenant, agent }, allowedUrls: [`${server.origin}/`] })
  const sandboxes = [await allowed('a', '1'), await allowed('a', '2'), await allowed('b', '3')]
  await Promise.all(
    sandboxes.map((sandbox, index) =>
      sandbox.execute(`sleep 0.5; curl -s ${server.origin}/${index}; sleep 0.5`),
    ),
  )
  const labels = Object.fromEntries(decisions.map((data) => [data.url.slice(-1), data.labels]))
  expect(labels).toEqual({ 0: { tenant: 'a' }, 1: { tenant: 'a' }, 2: { tenant: 'b', agent: '3' } })
  expect(decisions.map(({ candidates }) => candidates.length).sort()).toEqual([1, 2, 2])
})

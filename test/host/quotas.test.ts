import { expect, it } from 'vitest'
import { Quotas } from '../../src/host/quotas.ts'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'

it('bounds the sandboxes in cells by the places of all cells, and those in threads not at all', () => {
  const quotas = new Quotas(resolveHostOptions({ maxCells: 3, sandboxesPerCell: 5 }))
  expect((['process', 'worker', 'shared'] as const).map((isolation) => quotas.of(isolation))).toEqual([
    { most: 15, taken: 0 },
    { most: Number.POSITIVE_INFINITY, taken: 0 },
    { most: Number.POSITIVE_INFINITY, taken: 0 },
  ])
})

it('has one quota for each isolation level', () => {
  const quotas = new Quotas(resolveHostOptions())
  const cells = quotas.of('process')
  cells.taken += 1
  expect([quotas.of('process') === cells, quotas.of('worker').taken, quotas.of('shared').taken]).toEqual([
    true,
    0,
    0,
  ])
})

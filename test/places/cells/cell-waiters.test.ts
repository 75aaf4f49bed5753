import { describe, expect, it } from 'vitest'
import { strandsEngine } from '../../../src/engines/strands/strands-engine.ts'
import type { CellPolicy } from '../../../src/places/cells/cell-network.ts'
import { CellWaiters } from '../../../src/places/cells/cell-waiters.ts'
import { OpenRequest } from '../../../src/places/open-request.ts'
import { SandboxClosedError } from '../../../src/sandbox/errors.ts'

const policyOf = (key: string): CellPolicy => ({ key, policy: undefined })

function openRequest(): OpenRequest {
  return new OpenRequest(strandsEngine, strandsEngine.blank)
}

/** Waiters whose cells are strings, and an opening of each name that ends with its cell. */
function waiting(...keys: readonly string[]) {
  const waiters = new CellWaiters<string>()
  const opened: string[] = []
  const requests = keys.map(() => openRequest())
  const places = keys.map((key, index) =>
    waiters.wait(policyOf(key), requests[index] ?? openRequest(), async (cell) => {
      opened.push(`${index} in ${cell}`)
      return `place in ${cell}`
    }),
  )
  for (const place of places) place.catch(() => undefined) // Each test looks at those that it is about.
  return { waiters, opened, requests, places }
}

describe('openings that wait for a cell', () => {
  it('open in the order in which they came, each before the next is given a cell', async () => {
    const { waiters, opened, places } = waiting('a', 'a')
    waiters.serve(() => `cell ${opened.length}`)
    expect([opened, waiters.size]).toEqual([['0 in cell 0', '1 in cell 1'], 0])
    expect(await Promise.all(places)).toEqual(['place in cell 0', 'place in cell 1'])
  })

  it('do not hold up those of another policy', () => {
    const { waiters, opened } = waiting('a', 'b', 'a')
    waiters.serve(({ key }) => (key === 'b' ? 'cell' : undefined))
    expect([opened, waiters.size]).toEqual([['1 in cell'], 2])
  })

  it('are refused where looking for a cell throws, and others are not', async () => {
    const { waiters, opened, places } = waiting('a', 'b')
    waiters.serve(({ key }) => {
      if (key === 'a') throw new RangeError('no cell')
      return 'cell'
    })
    await expect(places[0]).rejects.toThrow(RangeError)
    expect([opened, waiters.size]).toEqual([['1 in cell'], 0])
  })

  it('are refused together', async () => {
    const { waiters, places } = waiting('a', 'b')
    waiters.refuse(new SandboxClosedError('closed'))
    expect(await Promise.allSettled(places)).toEqual(
      places.map(() => ({ status: 'rejected', reason: expect.any(SandboxClosedError) })),
    )
    expect(waiters.size).toBe(0)
  })

  it('leave when their sandbox is closed', async () => {
    const { waiters, opened, requests, places } = waiting('a', 'a')
    requests[0]?.withdraw()
    await expect(places[0]).rejects.toThrow(SandboxClosedError)
    waiters.serve(() => 'cell')
    expect(opened).toEqual(['1 in cell'])
  })

  it('do not wait where their sandbox is closed already', async () => {
    const waiters = new CellWaiters<string>()
    const request = openRequest()
    request.withdraw()
    await expect(waiters.wait(policyOf('a'), request, async () => 'place')).rejects.toThrow(
      SandboxClosedError,
    )
    expect(waiters.size).toBe(0)
  })

  it('reject with what opening in the cell throws', async () => {
    const waiters = new CellWaiters<string>()
    const place = waiters.wait(policyOf('a'), openRequest(), () => Promise.reject(new RangeError('no shell')))
    waiters.serve(() => 'cell')
    await expect(place).rejects.toThrow(RangeError)
  })
})

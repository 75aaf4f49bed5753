import { describe, expect, it } from 'vitest'
import { strandsEngine } from '../../../src/engines/strands/strands-engine.ts'
import type { CellDemand } from '../../../src/places/cells/cell-demand.ts'
import { CellWaiters } from '../../../src/places/cells/cell-waiters.ts'
import { OpenRequest } from '../../../src/places/open-request.ts'
import { SandboxClosedError } from '../../../src/sandbox/errors.ts'

const demandOf = (key: string, owner = ''): CellDemand => ({
  owner,
  policy: { key, policy: undefined },
  files: undefined,
})
const noCells = () => 0

function openRequest(owner = ''): OpenRequest {
  const request = new OpenRequest(strandsEngine, strandsEngine.blank)
  request.owner = owner
  return request
}

/** Waiters whose cells are strings, and an opening of each name that ends with its cell. */
function waiting(...keys: readonly string[]) {
  const waiters = new CellWaiters<string>()
  const opened: string[] = []
  const requests = keys.map(() => openRequest())
  const places = keys.map((key, index) =>
    waiters.wait(demandOf(key), requests[index] ?? openRequest(), async (cell) => {
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
    waiters.serve(() => `cell ${opened.length}`, noCells)
    expect([opened, waiters.size]).toEqual([['0 in cell 0', '1 in cell 1'], 0])
    expect(await Promise.all(places)).toEqual(['place in cell 0', 'place in cell 1'])
  })

  it('do not hold up those of another policy', () => {
    const { waiters, opened } = waiting('a', 'b', 'a')
    waiters.serve(({ policy: { key } }) => (key === 'b' ? 'cell' : undefined), noCells)
    expect([opened, waiters.size]).toEqual([['1 in cell'], 2])
  })

  it('are refused where looking for a cell throws, and others are not', async () => {
    const { waiters, opened, places } = waiting('a', 'b')
    waiters.serve(({ policy: { key } }) => {
      if (key === 'a') throw new RangeError('no cell')
      return 'cell'
    }, noCells)
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
    waiters.serve(() => 'cell', noCells)
    expect(opened).toEqual(['1 in cell'])
  })

  it('do not wait where their sandbox is closed already', async () => {
    const waiters = new CellWaiters<string>()
    const request = openRequest()
    request.withdraw()
    await expect(waiters.wait(demandOf('a'), request, async () => 'place')).rejects.toThrow(
      SandboxClosedError,
    )
    expect(waiters.size).toBe(0)
  })

  it('reject with what opening in the cell throws', async () => {
    const waiters = new CellWaiters<string>()
    const place = waiters.wait(demandOf('a'), openRequest(), () => Promise.reject(new RangeError('no shell')))
    waiters.serve(() => 'cell', noCells)
    await expect(place).rejects.toThrow(RangeError)
  })

  describe('of several owners', () => {
    /** Openings of the owners that letters name; each takes a cell of its own while there are any. */
    function serving(owners: string, cells: number, held: Readonly<Record<string, number>> = {}) {
      const waiters = new CellWaiters<string>()
      const opened: string[] = []
      const has = new Map(Object.entries(held))
      for (const owner of owners) {
        void waiters.wait(demandOf(owner, owner), openRequest(owner), async () => opened.push(owner))
      }
      let left = cells
      waiters.serve(
        ({ owner }) => {
          if (left === 0) return undefined
          left -= 1
          has.set(owner, (has.get(owner) ?? 0) + 1)
          return 'cell'
        },
        (owner) => has.get(owner) ?? 0,
      )
      return { opened: opened.join(''), waiting: [...waiters.owners].join(''), size: waiters.size }
    }

    it('get one cell each before one gets a second', () => {
      expect(serving('aaabbc', 4)).toEqual({ opened: 'abca', waiting: 'ab', size: 2 })
    })

    it('come after those with fewer cells, whoever came first', () => {
      expect(serving('aab', 1, { a: 1 })).toEqual({ opened: 'b', waiting: 'a', size: 2 })
    })
  })
})

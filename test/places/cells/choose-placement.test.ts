import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CellFacts, choosePlacement, type Wanted } from '../../../src/places/cells/choose-placement.ts'

const wanted: Wanted = { policyKey: 'a', filesKey: '', shares: false, fills: false, mayStart: true }
const full: Wanted = { ...wanted, mayStart: false }

/** A cell of policy `a` with two places, one of them taken. */
function cell(id: number, facts: Partial<CellFacts> = {}): CellFacts {
  return { id, isReady: true, free: 1, leases: 1, isUnused: false, policyKey: 'a', filesKey: '', ...facts }
}

/** One whose leases have all ended. */
function idle(id: number, facts: Partial<CellFacts> = {}): CellFacts {
  return cell(id, { free: 2, leases: 0, ...facts })
}

/** One that never had a lease. */
function unused(id: number, facts: Partial<CellFacts> = {}): CellFacts {
  return idle(id, { isUnused: true, ...facts })
}

const use = (id: number) => ({ kind: 'use', id })
const endAndWait = (id: number) => ({ kind: 'endAndWait', id })
const start = { kind: 'start' }
const wait = { kind: 'wait' }

describe('an opening, where another cell may be started,', () => {
  it('starts a cell where there is none', () => {
    expect(choosePlacement([], wanted)).toEqual(start)
  })

  it('starts a cell rather than share one', () => {
    expect(choosePlacement([cell(1)], wanted)).toEqual(start)
  })

  it('uses an idle cell of its policy', () => {
    expect(choosePlacement([cell(1), idle(2)], wanted)).toEqual(use(2))
  })

  it('uses an unused cell, whatever policy that was started with', () => {
    expect(choosePlacement([cell(1), unused(2, { policyKey: 'b' })], wanted)).toEqual(use(2))
  })

  it('never uses a cell that shows other files, unused or not', () => {
    const cells = [unused(1, { filesKey: 'f' }), idle(2, { filesKey: 'f' })]
    expect(choosePlacement(cells, wanted)).toEqual(start)
    expect(choosePlacement([idle(3), ...cells], { ...wanted, filesKey: 'f' })).toEqual(use(1))
    expect(choosePlacement(cells, full)).toEqual(endAndWait(1))
  })

  it('that fills uses the fullest cell of its policy before an unused one, and before it starts one', () => {
    const cells = [unused(1), cell(2), cell(3, { leases: 2 }), cell(4, { free: 0, leases: 3 })]
    expect(choosePlacement(cells, { ...wanted, fills: true })).toEqual(use(3))
    expect(choosePlacement([unused(1), cell(2, { policyKey: 'b' })], { ...wanted, fills: true })).toEqual(
      use(1),
    )
  })

  it('uses a cell that has not finished starting', () => {
    expect(choosePlacement([unused(1, { isReady: false })], wanted)).toEqual(use(1))
  })

  it('prefers an idle cell of its policy to an unused one', () => {
    expect(choosePlacement([unused(1, { policyKey: 'b' }), idle(2)], wanted)).toEqual(use(2))
  })

  it('does not use a cell that has served another policy', () => {
    expect(choosePlacement([idle(1, { policyKey: 'b' })], wanted)).toEqual(start)
  })

  it('does not use a cell in which a retired lease still runs', () => {
    expect(choosePlacement([idle(1, { free: 0 }), unused(2, { free: 0 })], wanted)).toEqual(start)
  })

  it('shares the cell with the fewest leases where there are enough cells', () => {
    const cells = [cell(1, { leases: 3 }), cell(2, { leases: 1 }), cell(3, { leases: 2 })]
    expect(choosePlacement(cells, { ...wanted, shares: true })).toEqual(use(2))
  })

  it('starts a cell where there are enough cells and none of its policy has a place', () => {
    const cells = [cell(1, { free: 0 }), cell(2, { policyKey: 'b' })]
    expect(choosePlacement(cells, { ...wanted, shares: true })).toEqual(start)
  })
})

describe('an opening, where no other cell may be started,', () => {
  it('waits where there is no cell', () => {
    expect(choosePlacement([], full)).toEqual(wait)
  })

  it('shares the cell of its policy with the fewest leases', () => {
    const cells = [cell(1, { leases: 3 }), cell(2, { leases: 1 }), cell(3, { leases: 2 })]
    expect(choosePlacement(cells, full)).toEqual(use(2))
  })

  it('shares the oldest of the cells with the fewest leases', () => {
    expect(choosePlacement([cell(1, { leases: 2 }), cell(2), cell(3)], full)).toEqual(use(2))
  })

  it('shares a cell of its policy rather than end one of another', () => {
    expect(choosePlacement([idle(1, { policyKey: 'b' }), cell(2)], full)).toEqual(use(2))
  })

  it('waits where the cells of its policy have no place free', () => {
    expect(choosePlacement([cell(1, { free: 0, leases: 2 })], full)).toEqual(wait)
  })

  it('waits where the cells of other policies have leases', () => {
    expect(choosePlacement([cell(1, { policyKey: 'b' }), cell(2, { policyKey: 'c' })], full)).toEqual(wait)
  })

  it('ends the oldest idle cell of another policy, and waits', () => {
    const cells = [cell(1, { policyKey: 'b' }), idle(2, { policyKey: 'b' }), idle(3, { policyKey: 'c' })]
    expect(choosePlacement(cells, full)).toEqual(endAndWait(2))
  })

  it('waits for a cell of another policy that has not finished starting or ending', () => {
    expect(choosePlacement([idle(1, { policyKey: 'b', isReady: false })], full)).toEqual(wait)
  })
})

it('a placement never breaks a rule, whatever the cells are', () => {
  const facts = fc.record({
    isReady: fc.boolean(),
    free: fc.nat(2),
    leases: fc.nat(2),
    isUnused: fc.boolean(),
    policyKey: fc.constantFrom('a', 'b'),
    filesKey: fc.constantFrom('', 'f'),
  })
  const cells = fc.array(facts, { maxLength: 5 }).map((all) => all.map((one, id) => ({ ...one, id })))
  const wish = fc.record({
    policyKey: fc.constant('a'),
    filesKey: fc.constantFrom('', 'f'),
    shares: fc.boolean(),
    fills: fc.boolean(),
    mayStart: fc.boolean(),
  })
  fc.assert(
    fc.property(cells, wish, (all, wants) => {
      const placement = choosePlacement(all, wants)
      const chosen = 'id' in placement ? all[placement.id] : undefined
      const mayUse = ({ free, isUnused, policyKey, filesKey }: CellFacts) =>
        free > 0 && filesKey === wants.filesKey && (isUnused || policyKey === 'a')
      if (placement.kind === 'use') expect(chosen !== undefined && mayUse(chosen)).toBe(true)
      else if (!wants.mayStart) expect(all.some(mayUse)).toBe(false)
      if (placement.kind === 'start') expect(wants.mayStart).toBe(true)
      if (placement.kind === 'endAndWait') expect(chosen).toMatchObject({ isReady: true, leases: 0 })
    }),
  )
})

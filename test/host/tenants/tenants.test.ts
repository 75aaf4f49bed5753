import { expect, it } from 'vitest'
import { CommandLimiter } from '../../../src/host/command-limiter.ts'
import { resolveQuotas } from '../../../src/host/tenants/options.ts'
import { Tenants } from '../../../src/host/tenants/tenants.ts'

function tenantsOf(quotas: object | undefined, now = () => 0): Tenants {
  const resolved = quotas && resolveQuotas({ label: 'tenant', ...quotas })
  return new Tenants(resolved, new CommandLimiter(8), now)
}

it('sandboxes with the same value of the label are one tenant, and those without it another', () => {
  const tenants = tenantsOf({})
  const [a, b, none] = [tenants.of({ tenant: 'a' }), tenants.of({ tenant: 'b' }), tenants.of({ other: 'a' })]
  expect([a.name, b.name, none.name]).toEqual(['a', 'b', ''])
  expect(tenants.of({ tenant: 'a', other: 'b' })).toBe(a)
  expect(tenants.of({ tenant: '' })).toBe(none)
})

it('a label that objects inherit is none', () => {
  expect(tenantsOf({ label: 'constructor' }).of({}).name).toBe('')
})

it('without quotas all sandboxes are one tenant without bounds', () => {
  const tenants = tenantsOf(undefined)
  const { places } = tenants.of({ tenant: 'a' })
  expect(tenants.of({ tenant: 'b' }).places).toBe(places)
  expect([places.most, places.rate, tenants.figures]).toEqual([Number.POSITIVE_INFINITY, undefined, []])
})

it('a tenant has the bounds of everyone, and its own where it has some', () => {
  const own = JSON.parse('{"a":{"maxSandboxes":9},"__proto__":{"opensPerMinute":7}}')
  const tenants = tenantsOf({ maxSandboxes: 2, opensPerMinute: 3, tenants: own })
  const bounds = ['a', 'b', '__proto__'].map((tenant) => {
    const { places } = tenants.of(Object.fromEntries([['tenant', tenant]]))
    return [places.most, places.rate?.perMinute]
  })
  expect(bounds).toEqual([
    [9, 3],
    [2, 3],
    [2, 7],
  ])
})

it('a tenant is forgotten when nobody needs it any more: 100,000 of them leave nothing', () => {
  const tenants = tenantsOf({ maxSandboxes: 2 })
  for (let made = 0; made < 100_000; made++) {
    const tenant = tenants.of({ tenant: String(made) })
    tenants.enter(tenant, tenants)
    tenants.leave(tenant, tenants)
  }
  expect([tenants.size, tenants.figures]).toEqual([0, []])
})

it('a tenant is kept while a session or a place of it is there', () => {
  const tenants = tenantsOf({ maxSandboxes: 2 })
  const tenant = tenants.of({ tenant: 'a' })
  const [session, place] = [{}, {}]
  for (const user of [session, place]) tenants.enter(tenant, user)
  tenant.places.taken += 1
  tenants.leave(tenant, session)
  tenants.leave(tenant, session)
  expect([tenants.of({ tenant: 'a' }) === tenant, tenants.figures]).toEqual([
    true,
    [{ tenant: 'a', leased: 1, queued: 0, running: 0, waiting: 0 }],
  ])
  tenants.leave(tenant, place)
  expect(tenants.size).toBe(0)
})

it('what a tenant has opened in the last minute is remembered, so that it cannot leave and come again', () => {
  let now = 0
  const tenants = tenantsOf({ opensPerMinute: 1 }, () => now)
  for (const name of ['a', 'b']) {
    const tenant = tenants.of({ tenant: name })
    tenants.enter(tenant, tenant)
    tenant.places.rate?.take()
    tenants.leave(tenant, tenant)
    now += 1_000
  }
  expect([tenants.size, tenants.of({ tenant: 'a' }).places.mayTake, tenants.figures]).toEqual([2, false, []])
  now = 60_000
  const next = tenants.of({ tenant: 'c' })
  expect([tenants.size, next.places.mayTake]).toEqual([2, true])
  now = 61_000
  tenants.enter(next, next)
  tenants.leave(next, next)
  expect(tenants.size).toBe(0)
})

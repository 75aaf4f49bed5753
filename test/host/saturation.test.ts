import { expect, test } from 'vitest'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { openedTooLate, queueFull, saturationOf } from '../../src/host/saturation.ts'
import { Share } from '../../src/host/tenants/share.ts'
import { TokenBucket } from '../../src/host/tenants/token-bucket.ts'
import type { HostBound } from '../../src/sandbox/errors.ts'

const options = resolveHostOptions({ maxCells: 2, sandboxesPerCell: 8, openTimeout: 5, cellBackoff: 3 })

function saturation(...reached: HostBound[]) {
  const counts = { open: 16, cells: 2, queued: 3, retired: 0 }
  return { reached, ...counts, maxSandboxes: 16, maxCells: 2, maxQueued: 3, maxRetired: 64 }
}

test('the error of a full queue names the bound of places and its option', () => {
  const error = queueFull(saturation('maxSandboxes', 'maxQueued'), options)
  expect([error.message, error.saturation.reached]).toEqual([
    '16 sandboxes are open (maxSandboxes: 16) and 3 wait for a place (maxQueued: 3). The host holds at most 16: close sandboxes, or raise maxSandboxes.',
    ['maxSandboxes', 'maxQueued'],
  ])
})

test.each<[HostBound[], string]>([
  [['maxSandboxes'], 'The host holds at most 16: close sandboxes, or raise maxSandboxes.'],
  [
    ['maxCells', 'sandboxesPerCell'],
    'Its cells hold at most 16 (maxCells: 2, sandboxesPerCell: 8): close sandboxes, or raise one of the two.',
  ],
  [
    ['maxCells'],
    'No more cells may run (maxCells: 2), and none has the allowedUrls and binds of this sandbox, which cells do not mix: close the sandboxes of a cell, or raise maxCells.',
  ],
  [
    ['cellBackoff'],
    "Cells have ended one after another, and the next one starts after a pause (cellBackoff: 3 s). The events 'lost' and the errors of their sandboxes say why.",
  ],
  [[], 'No bound of the host was reached: the machine was slow, or openTimeout is too short.'],
])('the error of an opening that took too long names the bound that it waited for: %j', (reached, advice) => {
  expect(openedTooLate(saturation(...reached), options).message).toBe(
    `Opening a sandbox took longer than openTimeout (5 s): 16 sandboxes are open (maxSandboxes: 16), 3 wait. ${advice}`,
  )
})

test.each<[HostBound[], string, string]>([
  [
    ['quotas.maxSandboxes', 'maxSandboxes'],
    'a "b"',
    String.raw`Sandboxes with tenant "a \"b\"" are at most 2 (quotas.maxSandboxes), and 1 more wait: close some of them, or raise their quota.`,
  ],
  [
    ['quotas.opensPerMinute'],
    '',
    'Sandboxes with no label tenant open at most 5 times a minute (quotas.opensPerMinute), and 1 more wait: open fewer, or raise their quota.',
  ],
])('the error of a tenant at its quota names the quota and the tenant: %j', (reached, name, advice) => {
  const share = new Share(name, 2, new TokenBucket(5, () => 0))
  share.taken = 2
  share.waiters.add('waits')
  const tenant = saturationOf(share, 'tenant')
  expect(tenant).toEqual({
    label: 'tenant',
    value: name,
    open: 2,
    maxSandboxes: 2,
    opensPerMinute: 5,
    queued: 1,
  })
  expect(openedTooLate({ ...saturation(...reached), tenant }, options).message).toContain(advice)
})

test('the error of a host whose cells are by label names the label', () => {
  const byLabel = { ...options, cellsFor: { label: 'tenant' } }
  expect(openedTooLate(saturation('maxCells'), byLabel).message).toContain(
    'none has the allowedUrls, the binds and the label tenant of this sandbox',
  )
})

import { expect, test } from 'vitest'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { openedTooLate, queueFull } from '../../src/host/saturation.ts'

const saturation = { open: 16, maxSandboxes: 1024, queued: 3, maxQueued: 3, retired: 0, maxRetired: 64 }
const cells = { maxCells: 2, sandboxesPerCell: 8, openTimeout: 5 }

test('the errors of a full host of cells name the bound of its cells', () => {
  const options = resolveHostOptions(cells)
  expect(queueFull(saturation, options).message).toBe(
    '16 sandboxes are open (maxSandboxes: 1024) and 3 wait for a place (maxQueued: 3). Its cells hold 16 sandboxes (maxCells: 2, sandboxesPerCell: 8). Close sandboxes first.',
  )
  expect(openedTooLate(saturation, options).message).toBe(
    'Opening a sandbox took longer than openTimeout (5 s): 16 sandboxes are open (maxSandboxes: 1024), 3 wait. Its cells hold 16 sandboxes (maxCells: 2, sandboxesPerCell: 8).',
  )
})

test('the errors of a full host of threads name no cells', () => {
  const options = resolveHostOptions({ ...cells, isolation: 'shared' })
  expect(queueFull(saturation, options).message).toBe(
    '16 sandboxes are open (maxSandboxes: 1024) and 3 wait for a place (maxQueued: 3). Close sandboxes first.',
  )
})

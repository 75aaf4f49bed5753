import { expect, test } from 'vitest'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { hostOptionsFor } from '../../src/mcp/http/host-options.ts'

test.each([1, 8, 9, 64, 1000])('a host for %i sessions has a place for each', (maxSessions) => {
  const { maxSandboxes, maxCells, sandboxesPerCell } = resolveHostOptions(hostOptionsFor(maxSessions))
  expect(maxSandboxes).toBe(maxSessions)
  expect(maxCells * sandboxesPerCell).toBeGreaterThanOrEqual(maxSessions)
})

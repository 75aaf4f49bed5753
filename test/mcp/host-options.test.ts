import { expect, test } from 'vitest'
import { hostOptionsFor } from '../../src/mcp/http/host-options.ts'

test.each([1, 8, 9, 64, 1000])('a host for %i sessions has a place for each', (maxSessions) => {
  const { maxCells = 0, sandboxesPerCell = 0 } = hostOptionsFor(maxSessions)
  expect(maxCells * sandboxesPerCell).toBeGreaterThanOrEqual(maxSessions)
})

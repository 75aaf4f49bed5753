import { describe, expect, it } from 'vitest'
import { endedWell, runChild } from './run-child.ts'

describe('the native addon', () => {
  it('is never loaded on the main thread', async () => {
    const expected = JSON.stringify({ stdout: 'from the engine\n', addons: [] })
    expect(await runChild('addon-threads', [])).toEqual(endedWell(expected))
  })
})

import { expect, it } from 'vitest'
import { byTier, isFull } from '../support/tier.ts'
import { runChild } from './run-child.ts'

const count = byTier({ default: 30, full: 200 })

it.each(isFull ? ['strands', 'bash'] : ['strands'])(
  `${count} sandboxes (%s), opened, used and dropped, never have more than 24 workers alive at once`,
  {
    timeout: 120_000,
  },
  async (engine) => {
    const { stdout, ...end } = await runChild('collection', ['dropped', engine, String(count)], 110)
    expect(end).toEqual({ code: 0, signal: null, stderr: '' })
    expect(JSON.parse(stdout).dropped).toBeLessThanOrEqual(24)
  },
)

import { describe, expect, it } from 'vitest'
import { isFull } from '../support/tier.ts'
import { endedWell, runChild } from './run-child.ts'

async function scene(name: string, engine = 'strands'): Promise<unknown> {
  const { stdout, ...end } = await runChild('collection', [name, engine], 90)
  expect(end).toEqual({ code: 0, signal: null, stderr: '' })
  return JSON.parse(stdout)
}

describe('sandboxes that are dropped without close()', () => {
  it('are collected with the AsyncLocalStorage store that holds them', async () => {
    expect(await scene('kept in its request')).toBeLessThanOrEqual(24)
  })

  it('are collected with their abandoned generators', async () => {
    expect(await scene('abandoned generators')).toBeLessThanOrEqual(24)
  })

  it('during a call settle the call, and are collected after it', async () => {
    expect(await scene('mid-call')).toEqual({ stdout: 'done\n', collected: true })
  })

  it('under an abandoned command end with it, and the process lives on', async () => {
    expect(await scene('abandoned command')).toEqual({
      outcome: 'timed out',
      lingered: true,
      ended: true,
      next: 'a\n',
    })
  })

  it('free the sessions that they reset', async () => {
    expect(await scene('reset sessions')).toBe(true)
  })

  it('are collected while they open', async () => {
    expect(await scene('dropped as it opens')).toBe(true)
  })

  it('give their place to a waiting sandbox', async () => {
    expect(await scene('before a waiter')).toEqual({
      neighbours: 1,
      given: true,
      collected: true,
      closed: { dropped: 1 },
    })
  })

  it('are kept if they have an id, because their host references them', async () => {
    expect(await scene('named')).toEqual({ gone: 'still there', open: 1 })
  })

  it('are kept while they are referenced', async () => {
    expect(await runChild('collection', ['held'], 60)).toEqual(
      endedWell(JSON.stringify({ gone: 'still there', stdout: 'kept\n' })),
    )
  })
})

describe('bash sandboxes that are dropped without close()', () => {
  it('during a call settle the call, and are collected after it', async () => {
    expect(await scene('mid-call', 'bash')).toEqual({ stdout: 'done\n', collected: true })
  })

  it.runIf(isFull)('are collected with the store and the generators that hold them', async () => {
    expect(await scene('kept in its request', 'bash')).toBeLessThanOrEqual(24)
    expect(await scene('abandoned generators', 'bash')).toBeLessThanOrEqual(24)
  })

  it.runIf(isFull)('are collected while they open, and free the sessions that they reset', async () => {
    expect(await scene('dropped as it opens', 'bash')).toBe(true)
    expect(await scene('reset sessions', 'bash')).toBe(true)
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../support/tier.ts'
import { runChild } from './run-child.ts'

/** What came of scenes, one after the other in a process of their own. */
async function scenesOf(names: readonly string[], engine = 'strands'): Promise<Record<string, unknown>> {
  const { stdout, ...end } = await runChild('collection', [names.join(', '), engine], 90)
  expect(end).toEqual({ code: 0, signal: null, stderr: '' })
  return JSON.parse(stdout)
}

async function scene(name: string, engine?: string): Promise<unknown> {
  return (await scenesOf([name], engine))[name]
}

describe('sandboxes that are dropped without close()', () => {
  let short: Record<string, unknown>
  beforeAll(async () => {
    short = await scenesOf([
      'kept in its request',
      'abandoned generator',
      'mid-call',
      'abandoned command',
      'reset sessions',
      'dropped as it opens',
      'before a waiter',
      'named',
      'held by its policy',
      'while a policy decides',
      'held',
    ])
  }, 90_000)

  it('are collected with the AsyncLocalStorage store that holds them', () => {
    expect(short['kept in its request']).toBe(true)
  })

  it('are collected with their abandoned generators', () => {
    expect(short['abandoned generator']).toBe(true)
  })

  it.runIf(isFull)('are collected in time where there are many', async () => {
    expect(await scene('many kept in their requests')).toBeLessThanOrEqual(24)
    expect(await scene('many abandoned generators')).toBeLessThanOrEqual(24)
  })

  it('during a call settle the call, and are collected after it', () => {
    expect(short['mid-call']).toEqual({ stdout: 'done\n', collected: true })
  })

  it('under an abandoned command end with it, and the process lives on', () => {
    expect(short['abandoned command']).toEqual({
      outcome: 'timed out',
      lingered: true,
      ended: true,
      next: 'a\n',
    })
  })

  it('free the sessions that they reset', () => {
    expect(short['reset sessions']).toBe(true)
  })

  it('are collected while they open', () => {
    expect(short['dropped as it opens']).toBe(true)
  })

  it('give their place to a waiting sandbox', () => {
    expect(short['before a waiter']).toEqual({
      neighbours: 1,
      given: true,
      collected: true,
      closed: { dropped: 1 },
    })
  })

  it('are collected with the policy that holds them', () => {
    expect(short['held by its policy']).toEqual({ stdout: 'decided\n', collected: true })
  })

  it('settle the call that a policy decides on, and are collected after it', () => {
    expect(short['while a policy decides']).toEqual({ stdout: 'decided\n', collected: true })
  })

  it('are kept if they have an id, because their host references them', () => {
    expect(short['named']).toEqual({ gone: 'still there', open: 1 })
  })

  it('are kept while they are referenced', () => {
    expect(short['held']).toEqual({ gone: 'still there', stdout: 'kept\n' })
  })
})

describe('bash sandboxes that are dropped without close()', () => {
  it('during a call settle the call, and are collected after it', async () => {
    expect(await scene('mid-call', 'bash')).toEqual({ stdout: 'done\n', collected: true })
  })

  it.runIf(isFull)('are collected with the store and the generators that hold them', async () => {
    expect(await scene('many kept in their requests', 'bash')).toBeLessThanOrEqual(24)
    expect(await scene('many abandoned generators', 'bash')).toBeLessThanOrEqual(24)
  })

  it.runIf(isFull)('are collected while they open, and free the sessions that they reset', async () => {
    expect(await scene('dropped as it opens', 'bash')).toBe(true)
    expect(await scene('reset sessions', 'bash')).toBe(true)
  })
})

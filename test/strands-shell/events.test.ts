import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SANDBOX_EVENTS } from '../../src/host/event-data.ts'
import { type ConflictData, type ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { endOf, faultyHost, printed, until } from '../faults/helpers.ts'
import { asyncRefusalOf } from '../sandbox/refusal.ts'
import { garbageCollector } from '../support/collector.ts'
import { ownFieldsOf } from '../support/event-fields.ts'

const conflict: ConflictData = { path: '/work/a', hostPath: '/srv/a', kept: '/work/a.host-conflict' }
const removed: ConflictData = { path: '/work/b', hostPath: '/srv/b' }

const known = `must be one of ${SANDBOX_EVENTS.join(', ')}`

/** A sandbox whose worker reports conflicts as it is asked to. */
function reporting(host: ShellHost = faultyHost()): StrandsShellSandbox {
  const sandbox = new StrandsShellSandbox({ env: { HOSTILE: 'service' } }, { host })
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe('the conflict event', () => {
  it('tells every listener of every conflict, in order, before the call resolves', async () => {
    const sandbox = reporting()
    const seen: unknown[] = []
    sandbox.on('conflict', (told) => seen.push(['one', ownFieldsOf(told)]))
    sandbox.on('conflict', (told) => seen.push(['two', ownFieldsOf(told)]))
    const call = sandbox.execute('two-conflicts').then((result) => seen.push(result))
    await call
    expect(seen).toEqual([
      ['one', conflict],
      ['two', conflict],
      ['one', removed],
      ['two', removed],
      printed('two-conflicts'),
    ])
  })

  it('gives the declared fields and no others, frozen', async () => {
    const sandbox = reporting()
    const seen: object[] = []
    const frozen: boolean[] = []
    sandbox.on('conflict', (told) => {
      seen.push(ownFieldsOf(told))
      frozen.push(Object.isFrozen(told))
    })
    await sandbox.execute('one-conflict')
    expect(seen).toStrictEqual([conflict])
    expect(frozen).toEqual([true])
  })

  it('is emitted for calls that succeed, fail and time out', async () => {
    const sandbox = reporting()
    const seen: object[] = []
    sandbox.on('conflict', (told) => seen.push(ownFieldsOf(told)))
    expect(await endOf(sandbox.execute('failed-conflict'))).toMatchObject({ code: 'IO_ERROR' })
    expect(seen).toEqual([conflict])
    await sandbox.applyChanges({ bind: '/good-apply' })
    expect(seen).toEqual([conflict, conflict])
    expect(await endOf(sandbox.execute('late-conflict', { timeout: 0.05 }))).toMatchObject({
      code: 'TIMEOUT',
    })
    await until(() => seen.length === 3)
  })

  it('reaches a listener once however often it was added, and not after off()', async () => {
    const sandbox = reporting()
    let calls = 0
    const listener = () => {
      calls += 1
    }
    expect(sandbox.on('conflict', listener)).toBe(sandbox)
    sandbox.on('conflict', listener)
    await sandbox.execute('one-conflict')
    expect(calls).toBe(1)
    expect(sandbox.off('conflict', listener)).toBe(sandbox)
    sandbox.off('conflict', () => undefined)
    await sandbox.execute('one-conflict')
    expect(calls).toBe(1)
  })

  it('reaches the same listeners after the session was lost and reopened', async () => {
    const sandbox = reporting()
    const seen: number[] = []
    sandbox.on('conflict', () => seen.push(sandbox.generation))
    await sandbox.execute('one-conflict')
    await endOf(sandbox.execute('number'))
    await sandbox.execute('one-conflict')
    expect(seen).toEqual([1, 2])
  })

  it('allows a listener to close the sandbox; the call still resolves', async () => {
    const sandbox = reporting()
    const closes: Promise<void>[] = []
    sandbox.on('conflict', () => closes.push(sandbox.close()))
    expect(await sandbox.execute('one-conflict')).toEqual(printed('one-conflict'))
    await Promise.all(closes)
    expect([closes.length, sandbox.status]).toEqual([1, 'closed'])
  })

  it('reports the error of a listener as uncaught, and calls the other listeners', async () => {
    const sandbox = reporting()
    const uncaught = catchUncaught()
    const seen: object[] = []
    const error = new Error('a listener’s own')
    sandbox.on('conflict', () => {
      throw error
    })
    sandbox.on('conflict', (told) => seen.push(ownFieldsOf(told)))
    expect(await sandbox.execute('one-conflict')).toEqual(printed('one-conflict'))
    expect(seen).toEqual([conflict])
    expect(await uncaught).toBe(error)
    expect(await sandbox.execute('echoed')).toEqual(printed('echoed'))
  })

  it.each([
    ['event', `${known}, but is "conflicts" (a string).`, 'conflicts', () => undefined],
    ['event', `${known}, but is undefined.`, undefined, undefined],
    ['listener', 'must be a function, but is an object.', 'conflict', {}],
    ['listener', 'must be a function, but is undefined.', 'conflict', undefined],
  ])('refuses a wrong %s (%#)', async (field, problem, ...given) => {
    const sandbox = reporting()
    for (const method of ['on', 'off'] as const) {
      expect(await asyncRefusalOf(async () => Reflect.apply(sandbox[method], sandbox, given))).toEqual({
        field,
        message: `${field} ${problem}`,
      })
    }
  })

  it('does not keep a sandbox alive, even if a listener references it', async () => {
    const host = faultyHost()
    const seen: unknown[] = []
    await dropOne(host, seen)
    expect(seen).toEqual([[conflict, 1]])
    const gc = garbageCollector()
    await until(() => {
      gc()
      return host.stats().workers === 0
    })
  })
})

/** Uses a sandbox whose listener holds it, and lets go of it. */
async function dropOne(host: ShellHost, seen: unknown[]): Promise<void> {
  const sandbox = new StrandsShellSandbox({ env: { HOSTILE: 'service' } }, { host })
  sandbox.on('conflict', (told) => seen.push([ownFieldsOf(told), sandbox.generation]))
  await sandbox.execute('one-conflict')
}

/** The next uncaught exception of this process, kept from the test runner. */
async function catchUncaught(): Promise<unknown> {
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  try {
    const [error] = await once(process, 'uncaughtException')
    return error
  } finally {
    for (const other of others) process.on('uncaughtException', other)
  }
}

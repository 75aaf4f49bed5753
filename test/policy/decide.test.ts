import { expect, it, vi } from 'vitest'
import { decide } from '../../src/policy/decide.ts'
import type { Policy, Verdict } from '../../src/policy/types.ts'
import { commandCall, fileCall } from './calls.ts'

const call = commandCall('ls')

/** A policy with these verdicts for these commands; others are allowed. */
function by(verdicts: Readonly<Record<string, Verdict>>): Policy {
  return (asked) => (asked.kind === 'command' ? verdicts[asked.command] : undefined) ?? 'allow'
}

/** A policy as one without types gives it. */
function giving(value: unknown): Policy {
  return () => value as Verdict
}

it('a call runs where all policies allow it, and without any', async () => {
  expect(await decide([], call)).toEqual({ allow: true, call, approved: false })
  expect(await decide([giving('allow'), giving(Promise.resolve('allow'))], call)).toEqual({
    allow: true,
    call,
    approved: false,
  })
})

it('the first policy that denies says why, and no other is asked', async () => {
  const next = vi.fn(() => 'allow' as const)
  expect(await decide([() => 'allow', () => ({ deny: 'no ls' }), next], call)).toEqual({
    allow: false,
    reason: 'no ls',
  })
  expect(next).not.toHaveBeenCalled()
})

it.each([
  undefined,
  null,
  true,
  'deny',
  {},
  { deny: 1 },
  { run: 1 },
  { ask: true },
  { run: 'a\0b' },
  { run: 'ls', ask: () => true },
  [],
  Promise.resolve(undefined),
])('what is no verdict denies: %j', async (value) => {
  const decision = await decide([giving(value)], call)
  expect(decision).toEqual({ allow: false, reason: expect.stringContaining('no verdict'), failed: true })
})

it('a policy that throws or rejects denies, and its error is for the host alone', async () => {
  const error = new Error('the password is x')
  for (const policy of [
    () => {
      throw error
    },
    () => Promise.reject(error),
    giving({
      get deny() {
        throw error
      },
    }),
  ]) {
    expect(await decide([policy], call)).toEqual({
      allow: false,
      reason: 'A policy failed, so the call does not run.',
      failed: true,
      cause: error,
    })
  }
})

it('a policy that takes longer than its limit denies, and so does one that blocks', async () => {
  const never = () => new Promise<Verdict>(() => undefined)
  const blocking = () => {
    const end = performance.now() + 30
    while (performance.now() < end);
    return 'allow' as const
  }
  for (const policy of [never, blocking]) {
    expect(await decide([policy], call, { timeout: 0.02 })).toEqual({
      allow: false,
      reason: 'A policy took longer than its limit of 0.02 s.',
      failed: true,
    })
  }
})

it('a signal denies: before, while a policy decides, and while an approver does', async () => {
  const never = () => new Promise<never>(() => undefined)
  const reason = 'The call was aborted before it was decided on.'
  expect(await decide([() => 'allow'], call, { signal: AbortSignal.abort() })).toEqual({
    allow: false,
    reason,
  })
  for (const policy of [never, () => ({ ask: never })]) {
    const controller = new AbortController()
    const decision = decide([policy], call, { signal: controller.signal })
    setTimeout(() => controller.abort(), 5)
    expect(await decision).toEqual({ allow: false, reason })
  }
})

it('an approver that says true lets the call run; anything else denies', async () => {
  const asking = (answer: unknown): Policy => giving({ ask: () => answer })
  expect(await decide([asking(true), asking(Promise.resolve(true))], call)).toEqual({
    allow: true,
    call,
    approved: true,
  })
  for (const answer of [false, undefined, 1, 'true', {}, Promise.resolve(false)]) {
    expect(await decide([asking(answer)], call)).toEqual({
      allow: false,
      reason: 'The call was not approved.',
    })
  }
  const error = new Error('secret')
  const failing: Policy = () => ({
    ask: () => {
      throw error
    },
  })
  expect(await decide([failing], call)).toEqual({
    allow: false,
    reason: 'The approval failed, so the call does not run.',
    failed: true,
    cause: error,
  })
})

it('an approver is told of the call, and its signal fires when nobody waits any more', async () => {
  const seen: string[] = []
  const policy: Policy = () => ({
    ask: ({ call: asked, analysis, signal }) => {
      seen.push(asked.kind, String(analysis.commands[0]?.name))
      signal.addEventListener('abort', () => seen.push('aborted'))
      return new Promise(() => undefined)
    },
  })
  expect(await decide([policy], call, { askTimeout: 0.01 })).toEqual({
    allow: false,
    reason: 'Nobody approved the call within 0.01 s.',
    failed: true,
  })
  expect(seen).toEqual(['command', 'ls', 'aborted'])
})

it('approvers are asked last: not where a later policy denies', async () => {
  const approver = vi.fn(() => true)
  const decision = await decide([() => ({ ask: approver }), () => ({ deny: 'no' })], call)
  expect(decision).toEqual({ allow: false, reason: 'no' })
  expect(approver).not.toHaveBeenCalled()
})

it('a command that is put in place runs, and all other policies have seen it', async () => {
  const nice = by({ ls: { run: 'nice ls' } })
  const seen = vi.fn(() => 'allow' as const)
  expect(await decide([seen, nice], call)).toEqual({
    allow: true,
    call: { ...call, command: 'nice ls' },
    approved: false,
  })
  expect(seen.mock.calls.map(([asked]: readonly unknown[]) => asked)).toEqual([
    call,
    { ...call, command: 'nice ls' },
  ])
  for (const policies of [
    [nice, by({ 'nice ls': { deny: 'not nice' } })],
    [by({ 'nice ls': { deny: 'not nice' } }), nice],
  ]) {
    expect(await decide(policies, call)).toEqual({ allow: false, reason: 'not nice' })
  }
})

it('a policy may wrap every command; two that wrap each other deny', async () => {
  const wrap =
    (word: string): Policy =>
    (asked) =>
      asked.kind === 'command' ? { run: `${word} ${asked.command}` } : 'allow'
  expect(await decide([wrap('a')], call)).toMatchObject({ allow: true, call: { command: 'a ls' } })
  expect(await decide([wrap('a'), wrap('b')], call)).toEqual({
    allow: false,
    reason: expect.stringContaining('again and again'),
    failed: true,
  })
})

it('the approver sees the command that runs, not the one before it', async () => {
  const approver = vi.fn((_request: { readonly call: unknown }) => true)
  await decide([() => ({ ask: approver }), by({ ls: { run: 'nice ls' } })], call)
  expect(approver.mock.calls.map(([request]) => request.call)).toEqual([{ ...call, command: 'nice ls' }])
})

it('a command in place of a file operation denies', async () => {
  expect(await decide([() => ({ run: 'ls' })], fileCall('read', '/a'))).toEqual({
    allow: false,
    reason: expect.stringContaining('in place of a call that is none'),
    failed: true,
  })
})

it('a policy cannot change the call, and reads the analysis where it asks for it', async () => {
  const policy: Policy = (asked, analysis) => {
    expect(Object.isFrozen(asked)).toBe(true)
    expect(JSON.parse(JSON.stringify(analysis)).commands[0].name).toBe('ls')
    return analysis.parsed ? 'allow' : { deny: 'no' }
  }
  expect(await decide([policy], commandCall('ls'))).toMatchObject({ allow: true })
})

it('a reason is never empty, and not endless', async () => {
  expect(await decide([() => ({ deny: ' ' })], call)).toEqual({ allow: false, reason: 'A policy denies it.' })
  expect(await decide([() => ({ deny: 'a'.repeat(100_000) })], call)).toMatchObject({
    reason: 'a'.repeat(4096),
  })
})

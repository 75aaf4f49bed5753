import { describe, expect, it } from 'vitest'
import { type GivenContinuation, resolveContinuation } from '../../src/config/continuation.ts'
import { SandboxConfigError } from '../../src/sandbox/errors.ts'

describe('how a session follows another one', () => {
  it.each([
    ['never', {}, { onInterrupt: 'keep', onLost: 'reopen', checkpoints: 'never' }],
    ['call', {}, { onInterrupt: 'keep', onLost: 'restore', checkpoints: 'call' }],
    ['call', { checkpoint: 'never' }, { onInterrupt: 'keep', onLost: 'reopen', checkpoints: 'never' }],
    ['call', { onLost: 'reopen' }, { onInterrupt: 'keep', onLost: 'reopen', checkpoints: 'call' }],
    ['never', { onLost: 'restore' }, { onInterrupt: 'keep', onLost: 'restore', checkpoints: 'call' }],
    ['never', { onInterrupt: 'restore' }, { onInterrupt: 'restore', onLost: 'restore', checkpoints: 'call' }],
    [
      'never',
      { checkpoint: { idle: 5 } },
      { onInterrupt: 'keep', onLost: 'restore', checkpoints: { idle: 5 } },
    ],
  ] as const)('usually checkpoints %s, and %j is given', (usual, given, all) => {
    expect(resolveContinuation(given, usual)).toEqual(all)
  })

  it.each([
    [
      { onInterrupt: 'restore', checkpoint: { idle: 5 } },
      'onInterrupt',
      "onInterrupt can be 'restore' with checkpoint: 'call' alone. Take one of the two out.",
    ],
    [
      { onLost: 'restore', checkpoint: 'never' },
      'onLost',
      "onLost cannot be 'restore' with checkpoint: 'never'. Take one of the two out.",
    ],
  ] satisfies [GivenContinuation, string, string][])('refuses %j', (given, field, message) => {
    const refusal = expect(() => resolveContinuation(given, 'never'))
    refusal.toThrow(SandboxConfigError)
    refusal.toThrow(expect.objectContaining({ field, message }))
  })
})

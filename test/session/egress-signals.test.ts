import { describe, expect, it } from 'vitest'
import { isCallerSignal } from '../../src/session/caller-signal-schema.ts'

const egress = { kind: 'egress', method: 'GET', url: 'http://a.test/', allowed: true }
const egressEnd = {
  kind: 'egressEnd',
  method: 'GET',
  url: 'http://a.test/',
  sent: 0,
  received: 1,
  duration: 0.1,
}

describe('what a worker tells of requests', () => {
  it.each([
    egress,
    { ...egress, allowed: false, reason: 'NOT_ALLOWED' },
    { ...egress, address: '::1' },
    { ...egress, method: '', url: '' },
    egressEnd,
    { ...egressEnd, status: 200, reason: 'ORIGIN_FAILED' },
  ])('is taken: %j', (signal) => {
    expect(isCallerSignal({ signal })).toBe(true)
  })

  it.each([
    { ...egress, method: 'G'.repeat(33) },
    { ...egress, method: 'GET\nforged' },
    { ...egress, method: 1 },
    { ...egress, url: 'x'.repeat(16 * 1024 + 1) },
    { ...egress, url: 'http://a.test/\nforged' },
    { ...egress, url: 'http://a.test/\u001b[2J' },
    { ...egress, url: 'http://a.test/\u2028\u202e' },
    { ...egress, url: undefined },
    { ...egress, allowed: 1 },
    { ...egress, allowed: undefined },
    { ...egress, address: 'x'.repeat(65) },
    { ...egress, address: '::1\n' },
    { ...egress, reason: 'toString' },
    { ...egress, reason: ['NOT_ALLOWED'] },
    { ...egressEnd, sent: -1 },
    { ...egressEnd, sent: Number.NaN },
    { ...egressEnd, received: Number.POSITIVE_INFINITY },
    { ...egressEnd, received: 0.5 },
    { ...egressEnd, duration: '1' },
    { ...egressEnd, duration: -1 },
    { ...egressEnd, status: 20.5 },
    { ...egressEnd, status: 1000 },
    { ...egressEnd, status: -200 },
    { ...egressEnd, kind: 'egressend' },
  ])('is not taken: %j', (signal) => {
    expect(isCallerSignal({ signal })).toBe(false)
  })
})

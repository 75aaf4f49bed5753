import { describe, expect, test } from 'vitest'
import { isDescription } from '../../src/session/description-schema.ts'

const bind = { source: '/srv', destination: '/work', mode: 'direct', readonly: false }
const skipped = { bind: '/work', path: '/work/socket', reason: 'socket' }
const description = {
  binds: [bind, { ...bind, exclude: ['*.log'] }],
  credentials: [{ url: 'https://a.example/', kind: 'bearer' }],
  allowedUrls: ['https://b.example/'],
  env: { HOME: '/' },
  umask: 0,
  timeout: 1,
  limits: { maxOutput: 1 },
  skipped: [skipped],
}

describe('isDescription', () => {
  test('takes a description of the contract’s shape', () => {
    expect(isDescription(description)).toBe(true)
  })

  test.each([
    { skipped: undefined },
    { skipped: {} },
    { skipped: new Array(1) },
    { skipped: [{ ...skipped, bind: 1 }] },
    { skipped: [{ ...skipped, path: undefined }] },
    { skipped: [{ ...skipped, reason: null }] },
    { binds: undefined },
    { binds: [null] },
    { binds: [{ ...bind, source: 1 }] },
    { binds: [{ ...bind, destination: undefined }] },
    { binds: [{ ...bind, mode: true }] },
    { binds: [{ ...bind, readonly: 'no' }] },
    { binds: [{ ...bind, exclude: '*.log' }] },
    { binds: [{ ...bind, exclude: [1] }] },
    { limits: null },
    { credentials: 'none' },
    { credentials: [null] },
    { credentials: [{ url: 1, kind: 'bearer' }] },
    { credentials: [{ url: 'https://a.example/' }] },
    { allowedUrls: [1] },
    { allowedUrls: new Array(2 ** 32 - 1) },
    { env: [] },
    { env: { HOME: 1 } },
    { env: JSON.parse('{"__proto__":1}') },
    { env: new String('x') },
    { limits: { maxOutput: '1' } },
    { limits: new Uint8Array(1) },
    { limits: new Array(2 ** 32 - 1) },
    { timeout: '1' },
  ])('refuses one that is not (%#)', (wrong) => {
    expect(isDescription({ ...description, ...wrong })).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { isDescription } from '../../src/session/reply-shapes.ts'

const bind = { source: '/srv', destination: '/work', mode: 'direct', readonly: false }
const skipped = { bind: '/work', path: '/work/socket', reason: 'socket' }
const description = {
  binds: [bind, { ...bind, exclude: ['*.log'] }],
  credentials: [],
  allowedUrls: [],
  env: {},
  umask: 0,
  timeout: 1,
  limits: {},
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
    { timeout: '1' },
  ])('refuses one that is not (%#)', (wrong) => {
    expect(isDescription({ ...description, ...wrong })).toBe(false)
  })
})

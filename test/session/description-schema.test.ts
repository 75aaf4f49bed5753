import { describe, expect, test } from 'vitest'
import { isBashDescription, isStrandsDescription } from '../../src/session/description-schema.ts'

const bind = { source: '/srv', destination: '/work', mode: 'direct', readonly: false }
const skipped = { bind: '/work', path: '/work/socket', reason: 'socket' }
const description = {
  binds: [bind, { ...bind, exclude: ['*.log'] }],
  credentials: [{ url: 'https://a.example/', kind: 'bearer' }],
  allowedUrls: ['https://b.example/'],
  env: { HOME: '/' },
  umask: 0,
  timeout: 1,
  limits: {
    maxOutput: 1,
    maxFileSize: 1,
    maxFds: 1,
    maxBgJobs: 1,
    maxPipeline: 1,
    maxInput: 1,
    maxInodes: 1,
    maxDepth: 1,
    mirrorMaxFiles: 1,
    mirrorMaxBytes: 1,
  },
  skipped: [skipped],
}

describe('isStrandsDescription', () => {
  test('takes a description of the contract’s shape', () => {
    expect(isStrandsDescription(description)).toBe(true)
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
    { limits: { ...description.limits, maxDepth: undefined } },
    { binds: [{ ...bind, mode: 'mirror' }] },
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
    expect(isStrandsDescription({ ...description, ...wrong })).toBe(false)
  })
})

test('isBashDescription takes the limits of bash, and not those of Strands Shell alone', () => {
  const limits = { maxOutput: 1, maxFileSize: 1, maxFileSystem: 1, maxMemory: 1 }
  expect(isBashDescription({ ...description, limits })).toBe(true)
  expect(isBashDescription(description)).toBe(false)
  expect(isBashDescription({ ...description, limits: { ...limits, maxMemory: '1' } })).toBe(false)
})

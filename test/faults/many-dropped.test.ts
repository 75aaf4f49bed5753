import { expect, it } from 'vitest'
import { runChild } from './run-child.ts'

it('200 sandboxes, opened, used and dropped, never have more than 24 workers alive at once', {
  timeout: 120_000,
}, async () => {
  const { stdout, ...end } = await runChild('collection', ['dropped'], 110)
  expect(end).toEqual({ code: 0, signal: null, stderr: '' })
  expect(JSON.parse(stdout)).toBeLessThanOrEqual(24)
})

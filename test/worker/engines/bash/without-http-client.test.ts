import { expect, it } from 'vitest'
import { withoutHttpClient } from '../../../../worker/engines/bash/without-http-client.ts'

it('hides the headers of requests while something is loaded, and gives them back as they were', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Headers')
  expect(await withoutHttpClient(async () => typeof globalThis.Headers)).toBe('undefined')
  expect(Object.getOwnPropertyDescriptor(globalThis, 'Headers')).toEqual(before)
  await expect(withoutHttpClient(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(Object.getOwnPropertyDescriptor(globalThis, 'Headers')).toEqual(before)
})

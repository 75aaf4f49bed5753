import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { withoutHttpClient } from '../../../../worker/engines/bash/without-http-client.ts'
import { program } from '../../../fixtures/program.ts'

it('hides the headers of requests while something is loaded, and gives them back', async () => {
  const { Headers } = globalThis
  expect(await withoutHttpClient(async () => typeof globalThis.Headers)).toBe('undefined')
  expect(globalThis.Headers).toBe(Headers)
  await expect(withoutHttpClient(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect([globalThis.Headers, 'Headers' in globalThis]).toEqual([Headers, true])
})

it('loads no HTTP client itself', () => {
  const child = program('test/worker/engines/bash/children/http-client.ts')
  const printed = execFileSync(process.execPath, [child], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual({ hidden: 'undefined', isLoaded: false, later: ['a: b', true] })
})

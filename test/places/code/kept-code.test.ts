import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EngineSource } from '../../../src/contract/lease.ts'
import { codeFile } from '../../../src/places/code/code-file.ts'
import { KeptCode } from '../../../src/places/code/kept-code.ts'

const bash: EngineSource = { engine: 'bash', kind: 'module', path: 'file:///just-bash.js' }
const delay = 2000
let directory: string
let entry: URL
const start = vi.fn()
const kept = () => new KeptCode({ flags: () => [], start })

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kept-code-'))
  entry = pathToFileURL(join(directory, 'entry.cjs'))
  writeFileSync(join(directory, 'bash.cjs'), '')
  vi.stubEnv('STRANDS_SHELL_RUNTIME_CACHE', join(directory, 'cache'))
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  start.mockReset()
  rmSync(directory, { recursive: true })
})

async function passed(): Promise<void> {
  vi.advanceTimersByTime(delay)
  vi.useRealTimers()
  await new Promise((resolve) => setTimeout(resolve, 50))
}

it('is made once, after a second opening, where it is not there', async () => {
  const code = kept()
  const source = await code.with(bash, entry)
  code.opened(source, entry)
  vi.advanceTimersByTime(10 * delay)
  for (let opening = 0; opening < 5; opening += 1) code.opened(source, entry)
  await passed()
  expect(start.mock.calls).toEqual([[source.code, source, entry]])
})

it('is not made where it is there', async () => {
  const code = kept()
  const source = await code.with(bash, entry)
  writeFileSync(source.code ?? '', '')
  code.opened(source, entry)
  code.opened(source, entry)
  await passed()
  expect(start).not.toHaveBeenCalled()
})

it.each<[string, EngineSource]>([
  ['of another engine', { engine: 'strands', kind: 'addon', path: '/addon.node' }],
  ['that names its file', { ...bash, code: '/given' }],
])('leaves a source %s as it is', async (_what, source) => {
  expect(await kept().with(source, entry)).toBe(source)
})

it('has a file for each set of flags, in a directory of its own', async () => {
  const files = [
    await codeFile(entry, []),
    await codeFile(entry, []),
    await codeFile(entry, ['--stack-size=2000']),
  ]
  expect(files[0]).toBe(files[1])
  expect(files[2]).not.toBe(files[0])
  expect(dirname(files[0] ?? '')).toBe(join(directory, 'cache/code'))
})

it.each([
  ['no directory can hold it', () => writeFileSync(join(directory, 'cache'), '')],
  ['there is nothing to compile', () => rmSync(join(directory, 'bash.cjs'))],
])('has no file where %s', async (_what, spoil) => {
  spoil()
  expect(await codeFile(entry, [])).toBe(undefined)
  expect(await kept().with(bash, entry)).toBe(bash)
})

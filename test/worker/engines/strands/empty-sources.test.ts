import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EmptySources } from '../../../../worker/engines/strands/empty-sources.ts'

let temporary: string

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'empty-sources-'))
  vi.stubEnv('TMPDIR', temporary)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(temporary, { recursive: true })
})

describe('sources of empty places', () => {
  it('have no name in the temporary directory: nothing of them is left, whatever ends the process', () => {
    using sources = new EmptySources()
    expect(readdirSync(sources.directory)).toEqual([])
    expect(readFileSync(sources.file, 'utf8')).toBe('')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('are a directory and a file where the process cannot name its descriptors, or the file of the package is gone', () => {
    const sources = new EmptySources({ descriptors: '/nowhere', emptyFile: '/nowhere/file' })
    const { directory, file } = sources
    expect([statSync(directory).isDirectory(), readdirSync(directory)]).toEqual([true, []])
    expect([statSync(file).isFile(), readFileSync(file, 'utf8')]).toEqual([true, ''])
    sources[Symbol.dispose]()
    expect(readdirSync(temporary)).toEqual([])
  })

  it('leave no descriptor open', () => {
    const opened = () => readdirSync('/proc/self/fd').length
    const before = opened()
    for (let i = 0; i < 20; i++) {
      using sources = new EmptySources()
      expect(readdirSync(sources.directory)).toEqual([])
    }
    expect(opened()).toBe(before)
  })
})

import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readCode, removeOldCode, writeCode } from '../../../../worker/service/code/code-file.ts'

const texts = new Map([
  ['one', Buffer.from('compiled')],
  ['other', Buffer.alloc(100_000, 7)],
])
let directory: string
let path: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'code-'))
  path = join(directory, 'code')
  onTestFinished(() => rmSync(directory, { recursive: true }))
})

function changed(change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)))
}

describe('a file of compiled code', () => {
  it('is read as it was written, by its user alone', () => {
    writeCode(path, texts)
    expect(readCode(path)).toEqual(texts)
    expect(readdirSync(directory)).toEqual(['code'])
  })

  it('replaces the one before', () => {
    writeCode(path, texts)
    writeCode(path, new Map())
    expect(readCode(path)).toEqual(new Map())
  })

  it.each<[string, () => void]>([
    ['is not there', () => rmSync(path)],
    ['others can write', () => chmodSync(path, 0o622)],
    ['is cut short', () => changed((bytes) => bytes.subarray(0, -1))],
    ['is shorter than a digest', () => changed((bytes) => bytes.subarray(0, 8))],
    ['is empty', () => changed(() => Buffer.alloc(0))],
    [
      'has a byte changed',
      () =>
        changed((bytes) => {
          bytes[bytes.length - 1] = 8
          return bytes
        }),
    ],
    [
      'is a link',
      () => {
        writeCode(`${path}.real`, texts)
        rmSync(path)
        symlinkSync(`${path}.real`, path)
      },
    ],
  ])('is not read where it %s', (_what, spoil) => {
    writeCode(path, texts)
    spoil()
    expect(readCode(path)).toBe(undefined)
  })

  it('leaves nothing where it cannot be written', () => {
    expect(() => writeCode(directory, texts)).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(readdirSync(directory)).toEqual([])
  })

  it('is removed a month after it was written', () => {
    for (const name of ['old', 'new']) writeCode(join(directory, name), texts)
    const monthAgo = Date.now() / 1000 - 31 * 24 * 3600
    utimesSync(join(directory, 'old'), monthAgo, monthAgo)
    removeOldCode(directory)
    expect(readdirSync(directory)).toEqual(['new'])
  })
})

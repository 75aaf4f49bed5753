import { readlinkSync, writeSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ContentFile } from '../../src/channel/content-file.ts'
import { ContentReader } from '../../src/channel/content-reader.ts'
import { ProtocolBreach } from '../../src/channel/errors.ts'

const mib = 2 ** 20

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A file, and what its cell reads it by. */
function files(): { readonly file: ContentFile; readonly reader: ContentReader } {
  const file = ContentFile.make()
  if (file === undefined) throw new Error('There are no files in memory.')
  onTestFinished(() => {
    file.inherited()
    file.close()
  })
  return { file, reader: new ContentReader(file.reader) }
}

const filled = (bytes: number, value: number) => new Uint8Array(bytes).fill(value)

describe('a content file', () => {
  it('hands one content over at a time', () => {
    const { file, reader } = files()
    expect([file.put(filled(mib, 1)), file.put(filled(mib, 2))]).toEqual([true, false])
    expect(reader.read(mib).equals(filled(mib, 1))).toBe(true)
    file.free()
    expect(file.put(filled(2 * mib, 3))).toBe(true)
    expect(reader.read(2 * mib).equals(filled(2 * mib, 3))).toBe(true)
  })

  it('leaves short and very long contents to the pipe', () => {
    const { file } = files()
    expect([1, 256 * 1024 - 1, 64 * mib + 1].map((bytes) => file.put(new Uint8Array(bytes)))).toEqual([
      false,
      false,
      false,
    ])
  })

  it('has no name', () => {
    const { file } = files()
    expect(readlinkSync(`/proc/self/fd/${file.reader}`)).toMatch(/^\/dev\/shm\/.* \(deleted\)$/)
  })

  it('gives its memory back when it is not used', () => {
    const { file } = files()
    file.put(filled(mib, 1))
    vi.advanceTimersByTime(10_000)
    expect(file.size).toBe(mib)
    file.free()
    file.put(filled(mib, 1))
    vi.advanceTimersByTime(10_000)
    expect(file.size).toBe(mib)
    file.free()
    vi.advanceTimersByTime(10_000)
    expect(file.size).toBe(0)
  })

  it('takes nothing once it is closed', () => {
    const { file } = files()
    file.put(filled(mib, 1))
    file.free()
    file.close()
    file.close()
    vi.advanceTimersByTime(10_000)
    expect([file.put(filled(mib, 1)), file.size]).toEqual([false, 0])
  })

  it('refuses a far side that takes what its channel has not put there', () => {
    const { file } = files()
    const [one, other] = [file.share(), file.share()]
    expect(() => one.taken()).toThrow(ProtocolBreach)
    expect([one.put(filled(mib, 1)), other.put(filled(mib, 2))]).toEqual([true, false])
    expect(() => other.taken()).toThrow(ProtocolBreach)
    one.taken()
    expect(() => one.taken()).toThrow(ProtocolBreach)
    expect(other.put(filled(mib, 3))).toBe(true)
  })

  it('is free again once the channel has ended whose content it holds', () => {
    const { file } = files()
    const [one, other] = [file.share(), file.share()]
    one.put(filled(mib, 1))
    other.end()
    expect(other.put(filled(mib, 2))).toBe(false)
    one.end()
    expect(other.put(filled(mib, 2))).toBe(true)
  })
})

describe('its reader', () => {
  it('cannot write to it', () => {
    const { file } = files()
    expect(() => writeSync(file.reader, filled(1, 1), 0, 1, 0)).toThrow(/EBADF/)
  })

  it('refuses a content that is not whole', () => {
    const { file, reader } = files()
    file.put(filled(mib, 1))
    expect(() => reader.read(mib + 1)).toThrow(ProtocolBreach)
    expect(() => new ContentReader(99_999).read(1)).toThrow(ProtocolBreach)
  })

  it('uses a buffer again that is of the size', () => {
    const { file, reader } = files()
    const [spare, other] = [new ArrayBuffer(mib), new ArrayBuffer(2 * mib)]
    file.put(filled(mib, 1))
    reader.reuse(spare)
    expect(reader.read(mib).buffer).toBe(spare)
    expect(reader.read(mib).buffer).not.toBe(spare)
    reader.reuse(other)
    expect(reader.read(mib).buffer).not.toBe(other)
  })
})

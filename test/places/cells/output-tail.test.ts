import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { OutputTail } from '../../../src/places/cells/output-tail.ts'

/** What is left of a stream's chunks. */
function tailOf(chunks: readonly string[], secrets: readonly string[] = []): string | undefined {
  const tail = new OutputTail()
  const stream = new PassThrough()
  tail.read(stream)
  for (const chunk of chunks) stream.emit('data', Buffer.from(chunk))
  return tail.text(secrets)
}

const token = 'secret-token-of-a-user'

describe('the tail of what a process prints', () => {
  it('is its last 4 KiB, in whatever chunks it comes', () => {
    const text = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n')
    for (const size of [1, 100, 4096, 5000, 100_000]) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(tailOf(chunks)).toBe(text.slice(-4096).trim())
    }
  })

  it('is undefined where only blanks were printed', () => {
    expect([tailOf([]), tailOf(['\n \n'])]).toEqual([undefined, undefined])
  })

  it('holds no token, also where its beginning was cut off', () => {
    for (let after = 4096 - token.length - 2; after <= 4096 + 2; after++) {
      for (const size of [7, 4096, 100_000]) {
        const text = `${'-'.repeat(3 * 4096)}${token}${'+'.repeat(after)}`
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        const told = tailOf(chunks, [token]) ?? ''
        expect(told.length).toBeGreaterThan(4000)
        const [marks] = told.split(/[-+]+/).filter((word) => word !== '')
        expect('[secret]').toSatisfy((mark: string) => mark.endsWith(marks ?? ''))
      }
    }
  })

  it('holds no token where many of them were printed', () => {
    const chunks = Array.from({ length: 2000 }, () => `${token} `)
    expect(tailOf(chunks, [token])?.replaceAll('[secret]', '')).not.toMatch(/token|user/)
  })

  it('holds no token that begins with another', () => {
    expect(tailOf(['abc abcdef'], ['abc', 'abcdef'])).toBe('[secret] [secret]')
  })
})

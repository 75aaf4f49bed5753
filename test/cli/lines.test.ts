import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { linesOf } from '../../src/cli/lines.ts'

const linesOfTexts = async (...texts: string[]) => {
  const lines: string[] = []
  for await (const line of linesOf(Readable.from(texts.map((text) => Buffer.from(text)))))
    lines.push(line.toString())
  return lines
}

test('lines may be split over pieces, and the last may lack its line break', async () => {
  expect(await linesOfTexts('a', 'b\n\nc', '\nd', 'e')).toEqual(['ab', '', 'c', 'de'])
  expect(await linesOfTexts('a\n')).toEqual(['a'])
  expect(await linesOfTexts()).toEqual([])
})

test('what is wrong with a stream is thrown after the lines before it', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('a\nb')
      throw new Error('gone')
    })(),
  )
  const lines = linesOf(broken)
  expect((await lines.next()).value?.toString()).toBe('a')
  await expect(lines.next()).rejects.toThrow('gone')
})

import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { chunksOf } from '../../../src/engines/strands/file-chunks.ts'
import { temporaryDirectory } from './fixtures/temporary.ts'

const mebibyte = 2 ** 20

async function fileOf(content: Uint8Array) {
  const path = join(await temporaryDirectory(), 'file')
  await writeFile(path, content)
  const handle = await open(path)
  onTestFinished(() => handle.close())
  return handle
}

it.each([0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte + 5])(
  'reads a file of %d bytes whole and in order',
  async (size) => {
    const content = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31) ^ (at >> 13)))
    const parts: Buffer[] = []
    for await (const { offset, bytes } of chunksOf(await fileOf(content))) {
      expect(offset).toBe(parts.length * mebibyte)
      parts.push(Buffer.from(bytes))
    }
    expect(Buffer.concat(parts).equals(content)).toBe(true)
  },
)

it('throws the failure of a read when its chunk is asked for, and not before', async () => {
  const handle = await fileOf(new Uint8Array(2 * mebibyte))
  const read = handle.read.bind(handle)
  vi.spyOn(handle, 'read')
    .mockImplementationOnce((...rest: unknown[]) => Reflect.apply(read, handle, rest))
    .mockRejectedValueOnce(new Error('EIO'))
  const chunks = chunksOf(handle)
  await expect(chunks.next()).resolves.toMatchObject({ done: false, value: { offset: 0 } })
  await expect(chunks.next()).rejects.toThrow('EIO')
})

it('waits for the read under way when nobody asks for more', async () => {
  const handle = await fileOf(new Uint8Array(2 * mebibyte))
  const ended: string[] = []
  const read = handle.read.bind(handle)
  vi.spyOn(handle, 'read').mockImplementation(async (...rest: unknown[]) => {
    const result = await Reflect.apply(read, handle, rest)
    ended.push('read')
    return result
  })
  for await (const chunk of chunksOf(handle)) {
    expect(chunk.offset).toBe(0)
    break
  }
  expect(ended).toEqual(['read', 'read'])
})

import { readdirSync, readlinkSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ContentFile } from '../../../src/channel/content-file.ts'
import { cellPids } from './cell-pids.ts'
import { cellHost } from './helpers.ts'

const mib = 2 ** 20

afterEach(() => vi.restoreAllMocks())

/** Bytes of which each piece tells its place and its file. */
function bytes(length: number, file: number): Uint8Array {
  return new Uint8Array(length).map((_, index) => (index >> 8) + file)
}

function same(some: Uint8Array, others: Uint8Array): boolean {
  return Buffer.compare(some, others) === 0
}

describe.each(['auto', 'none'] as const)('a cell (hardening: %s)', (hardening) => {
  it('gets long contents by a file in memory, and short ones by its pipe', async () => {
    const put = vi.spyOn(ContentFile.prototype, 'put')
    const sandbox = await cellHost({ hardening }).open()
    const sizes = [100, mib, mib, 3 * mib, 0, mib]
    for (const [file, size] of sizes.entries()) {
      const content = bytes(size, file)
      await sandbox.writeFile('/tmp/file', content)
      expect(same(await sandbox.readFile('/tmp/file'), content)).toBe(true)
    }
    const sent = put.mock.calls.map(([content], index) => [content.length, put.mock.results[index]?.value])
    expect(sent.filter(([, isPut]) => isPut)).toEqual([mib, mib, 3 * mib, mib].map((size) => [size, true]))
  })

  it('gets those of several sandboxes at once, each its own', async () => {
    const host = cellHost({ hardening, maxCells: 1, sandboxesPerCell: 3 })
    const sandboxes = await Promise.all([host.open(), host.open(), host.open()])
    const contents = sandboxes.map((_, file) => bytes((file + 1) * mib, 100 * file))
    await Promise.all(
      sandboxes.map(async (sandbox, file) => {
        const content = contents[file] ?? bytes(0, 0)
        await sandbox.writeFile('/tmp/file', content)
        await sandbox.appendFile('/tmp/file', content)
        const read = await sandbox.readFile('/tmp/file')
        expect(same(read, Buffer.concat([content, content]))).toBe(true)
      }),
    )
  })
})

it('a cell gets its contents by the pipe where there is no file', async () => {
  vi.spyOn(ContentFile, 'make').mockReturnValue(undefined)
  const sandbox = await cellHost().open()
  const content = bytes(mib, 1)
  await sandbox.writeFile('/tmp/file', content)
  expect(same(await sandbox.readFile('/tmp/file'), content)).toBe(true)
})

it('this process has no descriptor of the file once its cell has ended, and one before', async () => {
  const held = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith('/dev/shm/strands-shell-')
      } catch {
        return false // It was closed meanwhile.
      }
    }).length
  const before = held()
  const host = cellHost({ maxCells: 1 })
  await host.open()
  expect(held()).toBe(before + 1)
  await host.close()
  await vi.waitFor(() => expect([held(), cellPids()]).toEqual([before, []]), { timeout: 60_000 })
})

import {
  appendFile,
  chmod,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureWeakCopy } from '../../../src/engines/strands/weak-copy.ts'
import { temporaryDirectory } from './fixtures/temporary.ts'

const now = Date.now.bind(Date)
const day = 24 * 60 * 60 * 1000
/** A time that can be set again to the nanosecond. */
const written = new Date('2026-01-01T00:00:00Z')

let addon: string
let directory: string

/** Makes the clock of this process run ahead of that of the files: they are older then. */
function ahead(milliseconds: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds)
}

/** Ensures the copy. @returns its path, and whether the addon was read */
async function ensure(): Promise<{ path: string; compared: boolean }> {
  await using source = await open(addon, 'r')
  const read = vi.spyOn(source, 'read')
  const path = await ensureWeakCopy({ source, requirements: [], directories: [directory] })
  return { path, compared: read.mock.calls.length > 0 }
}

async function nameOfCheck(): Promise<string> {
  const name = (await readdir(directory)).find((entry) => entry.endsWith('.checked'))
  return join(directory, name ?? 'none')
}

beforeEach(async () => {
  const root = await temporaryDirectory()
  addon = join(root, 'addon')
  directory = join(root, 'cache')
  await writeFile(addon, Buffer.alloc(100_000, 'x'))
})
afterEach(() => vi.restoreAllMocks())

test('files that changed less than three seconds ago are compared at each start', async () => {
  await ensure()
  expect(await ensure()).toMatchObject({ compared: true })
  expect(await ensure()).toMatchObject({ compared: true })
  expect(await readdir(directory)).toHaveLength(1)
})

describe('an addon and a copy that were compared', () => {
  let path: string
  beforeEach(async () => {
    ahead(10_000)
    path = (await ensure()).path
    for (const file of [addon, path]) await utimes(file, written, written)
    expect(await ensure()).toEqual({ path, compared: true })
  })

  test('are not read again while they are the same files', async () => {
    expect(await ensure()).toEqual({ path, compared: false })
    expect(await ensure()).toEqual({ path, compared: false })
    expect((await stat(await nameOfCheck())).mode & 0o777).toBe(0o600)
  })

  test('are compared again after a day', async () => {
    ahead(day + 20_000)
    expect(await ensure()).toEqual({ path, compared: true })
  })

  test('are compared again where the clock was set back', async () => {
    ahead(5000)
    expect(await ensure()).toEqual({ path, compared: true })
  })

  const setBack = async (file: string, change: () => Promise<void>) => {
    await change()
    await utimes(file, written, written)
  }
  const writeByte = async (file: string) => {
    await using handle = await open(file, 'r+')
    await handle.write('y', 50_000)
  }
  const spoilers: Record<string, (file: string) => Promise<void>> = {
    'with a byte changed': writeByte,
    'with a byte changed and its times set back': (file) => setBack(file, () => writeByte(file)),
    'exchanged for a file of the same size and times': async (file) => {
      await writeFile(`${file}.new`, Buffer.alloc(100_000, 'y'), { mode: 0o700 })
      await utimes(`${file}.new`, written, written)
      await rename(`${file}.new`, file)
    },
    'cut short': (file) => truncate(file, 50_000),
    'that is too long': (file) => appendFile(file, 'x'),
    'that others can write': (file) => chmod(file, 0o777),
    'that was removed': (file) => rm(file),
    'with a link in its place': async (file) => {
      await rename(file, `${file}.was`)
      await symlink(`${file}.was`, file)
    },
  }
  for (const [what, spoil] of Object.entries(spoilers)) {
    test(`a copy ${what} is found and replaced`, async () => {
      await spoil(path)
      expect(await ensure()).toEqual({ path, compared: true })
      expect((await readFile(path)).equals(await readFile(addon))).toBe(true)
      expect((await stat(path)).mode & 0o777).toBe(0o700)
    })
  }

  test('an addon that changes, and has its times set back, gets another copy', async () => {
    await setBack(addon, () => writeByte(addon))
    const next = await ensure()
    expect(next.path).not.toBe(path)
    expect((await readFile(next.path)).equals(await readFile(addon))).toBe(true)
  })

  const forgeries: Record<string, (kept: string) => Promise<void>> = {
    'that others can write': (kept) => chmod(kept, 0o666),
    'that is a link': async (kept) => {
      await rename(kept, `${kept}.was`)
      await symlink(`${kept}.was`, kept)
    },
    'that is cut': (kept) => truncate(kept, 20),
    'of another shape': (kept) => writeFile(kept, '[]'),
    'that names another file': async (kept) => {
      const text = await readFile(kept, 'utf8')
      await writeFile(kept, text.replace(/strands-shell\.[0-9a-f]+\.node/, '../addon'))
    },
  }
  for (const [what, forge] of Object.entries(forgeries)) {
    test(`what is kept ${what} is not believed`, async () => {
      await forge(await nameOfCheck())
      expect(await ensure()).toEqual({ path, compared: true })
    })
  }
})

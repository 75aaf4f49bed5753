import { mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type DirectoryStoreOptions,
  directoryStore as directoryStoreOf,
  type Snapshot,
} from '../../src/index.ts'
import { collect } from '../../src/snapshot/directory-store/collect.ts'
import { ContentFiles } from '../../src/snapshot/directory-store/contents.ts'
import { readRecord } from '../../src/snapshot/directory-store/record.ts'
import { type RecordFile, Records } from '../../src/snapshot/directory-store/records.ts'
import { snapshotOf } from '../../src/snapshot/snapshot.ts'
import { allOf, bytes, example, exampleSnapshot, sha256 } from './support.ts'

/** A store that shares contents of every size. */
const directoryStore = (path: string, options: DirectoryStoreOptions = {}) =>
  directoryStoreOf(path, { maxInline: 0, ...options })

const key = 'a key of 16 bytes or more'

/** A snapshot whose files hold these texts. */
function holding(...texts: readonly string[]): Snapshot {
  const contents = new Map(texts.map((text, at) => [at + 1, bytes(text)]))
  const entries = texts.map((_, at) => ({
    key: `file /${at}`,
    value: JSON.stringify({ type: 'file', mode: 0o644, modified: 0 }),
    content: at + 1,
  }))
  return snapshotOf({ ...example, facts: { entries, contents } })
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'snapshots-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function openStore(options?: DirectoryStoreOptions) {
  const path = join(await folder(), 'not', 'there')
  return { path, store: directoryStore(path, options) }
}

/** The files below a folder of the store. */
const filesIn = async (path: string, below: string) =>
  (await readdir(join(path, below), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const recordOf = async (path: string) => (await filesIn(path, 'snapshots'))[0] ?? ''
const contentOf = (path: string, text: string) =>
  join(path, 'contents', sha256(bytes(text)).slice(0, 2), sha256(bytes(text)))

/** Makes a file look as if it was used two hours ago. */
async function age(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await utimes(path, Date.now() / 1000 - 7200, Date.now() / 1000 - 7200)
}

const stored = async (store: ReturnType<typeof directoryStore>, id: string) => {
  const snapshot = await store.get(id)
  return snapshot && allOf(snapshot)
}

it('gives what was put last', async () => {
  const { path, store } = await openStore()
  expect([await store.get('a'), await store.list()]).toEqual([undefined, []])
  await store.put('a', holding('old'))
  await store.put('a', exampleSnapshot())
  await store.put('b', holding('one', ''))
  expect(await stored(directoryStore(path), 'a')).toEqual(allOf(exampleSnapshot()))
  expect(await stored(store, 'b')).toEqual(allOf(holding('one', '')))
  const list = [...(await store.list())].sort((one, other) => (one.id < other.id ? -1 : 1))
  expect(list).toEqual([
    { id: 'a', fence: 2, storedAt: expect.any(Date) },
    { id: 'b', fence: 1, storedAt: expect.any(Date) },
  ])
  await store.delete('a')
  await store.delete('none')
  expect([await store.get('a'), (await store.list()).map(({ id }) => id)]).toEqual([undefined, ['b']])
  expect(await filesIn(path, 'temporary')).toEqual([])
})

it('has each content once', async () => {
  const { path, store } = await openStore()
  for (const id of ['a', 'b', 'c']) await store.put(id, holding('same', `own ${id}`, 'same'))
  const expected = ['same', 'own a', 'own b', 'own c'].map((text) => contentOf(path, text)).sort()
  expect(await filesIn(path, 'contents')).toEqual(expected)
})

it('deletes nothing above the fence that is given', async () => {
  const { store } = await openStore()
  await store.put('a', holding('kept'), { fence: 7 })
  await expect(store.delete('a', { fence: 6 })).rejects.toMatchObject({
    code: 'STALE_FENCE',
    fence: 6,
    seen: 7,
  })
  expect(await store.find('a')).toMatchObject({ fence: 7 })
  await store.delete('a', { fence: 7 })
  expect(await store.find('a')).toBeUndefined()
  await store.delete('a', { fence: 7 })
  await expect(store.delete('a', { fence: 1.5 })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
})

it('refuses a fence that is not above what it has seen, also after a delete', async () => {
  const { path, store } = await openStore()
  const end = (fence: number, of = store) =>
    of.put('a', holding(`${fence}`), { fence }).then(
      () => 'stored',
      ({ code, fence: given, seen }) => [code, given, seen],
    )
  expect(await end(5)).toBe('stored')
  expect(await end(5)).toEqual(['STALE_FENCE', 5, 5])
  expect(await end(4, directoryStore(path))).toEqual(['STALE_FENCE', 4, 5])
  expect(await stored(store, 'a')).toEqual(allOf(holding('5')))
  expect(await end(1000)).toBe('stored')
  await store.delete('a')
  expect(await end(1000)).toEqual(['STALE_FENCE', 1000, 1000])
  expect(await store.get('a')).toBe(undefined)
  await store.put('a', holding('next'))
  expect(await store.list()).toMatchObject([{ fence: 1001 }])
  expect(await filesIn(path, 'snapshots')).toHaveLength(1)
  expect(await end(Number.MAX_SAFE_INTEGER)).toBe('stored')
})

it('takes ids of any text, and leads nowhere else', async () => {
  const { path, store } = await openStore()
  const ids = ['..', '.', '/', '../../x', 'a/b', 'A', 'a', 'é 𝄞', '\0', '%2F', '-', 'a'.repeat(240)]
  for (const id of ids) await store.put(id, holding(id))
  for (const id of ids) expect([id, await stored(store, id)]).toEqual([id, allOf(holding(id))])
  expect((await store.list()).map(({ id }) => id).sort()).toEqual([...ids].sort())
  expect((await readdir(path)).sort()).toEqual(['contents', 'snapshots', 'temporary', 'trash'])
  expect(await readdir(join(path, 'snapshots'))).toHaveLength(ids.length)
  for (const id of ['', 'a'.repeat(241), '/'.repeat(81), '\ud800', 7, undefined]) {
    // @ts-expect-error: some are wrong on purpose.
    for (const call of [store.put(id, holding('')), store.get(id), store.delete(id)])
      await expect(call).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'id' })
  }
})

it('refuses wrong arguments', async () => {
  const { store } = await openStore()
  const wrong = (field: string) => ({ code: 'INVALID_CONFIG', field })
  // @ts-expect-error: wrong on purpose.
  await expect(store.put('a', {})).rejects.toMatchObject(wrong('snapshot'))
  for (const fence of [-1, 0.5, Number.NaN])
    await expect(store.put('a', holding(), { fence })).rejects.toMatchObject(wrong('fence'))
  await expect(store.collect({ olderThan: 59 })).rejects.toMatchObject(wrong('olderThan'))
  expect(() => directoryStore('')).toThrow(expect.objectContaining(wrong('path')))
  expect(() => directoryStore('x', { key: 'short' })).toThrow(expect.objectContaining(wrong('key')))
})

it('refuses what was altered in the directory', async () => {
  const { path, store } = await openStore({ key })
  const fault = (id: string, of = store) =>
    of.get(id).then(
      () => 'given',
      (error) => error.fault,
    )
  await store.put('a', holding('one'), { fence: 1 })
  await store.put('b', holding('two'), { fence: 1 })
  expect(await fault('a', directoryStore(path))).toBe('signature')
  expect(await fault('a', directoryStore(path, { key: `${key}.` }))).toBe('signature')
  const [a = '', b = ''] = await filesIn(path, 'snapshots')
  const text = await readFile(a, 'utf8')
  await writeFile(a, await readFile(b))
  expect(await fault('a')).toBe('signature')
  await writeFile(a, text.replace('"modified":0', '"modified":1'))
  expect(await fault('a')).toBe('signature')
  await writeFile(a, text.slice(text.indexOf('\n')))
  expect(await fault('a')).toBe('signature')
  await writeFile(a, text)
  await rename(a, a.replace(/1$/, '2'))
  expect(await fault('a')).toBe('signature')
  await store.put('a', holding('one'))
  await writeFile(contentOf(path, 'one'), 'eno')
  expect(await fault('a')).toBe('malformed')
})

it('refuses what is damaged, and stores it again', async () => {
  const { path, store } = await openStore()
  const fault = () =>
    store.get('a').then(
      () => 'given',
      (error) => error.fault ?? error.code,
    )
  await store.put('a', holding('one', 'two'))
  await truncate(contentOf(path, 'one'), 2)
  expect(await fault()).toBe('malformed')
  await rm(contentOf(path, 'two'))
  await store.put('a', holding('one', 'two'))
  expect(await stored(store, 'a')).toEqual(allOf(holding('one', 'two')))
  await rm(contentOf(path, 'two'))
  expect(await fault()).toBe('malformed')
  await writeFile(await recordOf(path), 'x')
  expect(await fault()).toBe('malformed')
  const end = await store.collect().catch((error) => error)
  expect([end.code, end.message]).toEqual(['INVALID_SNAPSHOT', expect.stringContaining('"a"')])
  await writeFile(join(path, 'snapshots', 'b'), '')
  expect(await store.get('b').catch((error) => error.code)).toBe('IO_ERROR')
})

it('gives and takes nothing above its limits', async () => {
  const { path, store } = await openStore()
  await store.put('a', holding('one', 'two'))
  for (const limits of [{ maxUnpackedBytes: 5 }, { maxFiles: 1 }, { maxManifestBytes: 100 }])
    await expect(directoryStore(path, { limits }).get('a')).rejects.toMatchObject({ fault: 'too-large' })
  for (const limits of [{ maxUnpackedBytes: 5 }, { maxFiles: 1 }])
    await expect(directoryStore(path, { limits }).put('b', holding('one', 'two'))).rejects.toMatchObject({
      fault: 'too-large',
    })
})

it('collects what no snapshot names and nobody has used for a time', async () => {
  const { path, store } = await openStore()
  expect(await store.collect({ olderThan: 60 })).toEqual({ contents: 0, bytes: 0, ids: 0 })
  await store.put('a', holding('shared', 'first'))
  await store.put('b', holding('shared'))
  await store.put('a', holding('shared', 'second'))
  await age(...(await filesIn(path, 'contents')))
  await store.put('c', holding('young'))
  await store.delete('c')
  await writeFile(join(path, 'temporary', 'left over'), '')
  await age(join(path, 'temporary', 'left over'))
  expect(await store.collect()).toEqual({ contents: 1, bytes: 5, ids: 0 })
  const kept = ['shared', 'second', 'young'].map((text) => contentOf(path, text)).sort()
  expect(await filesIn(path, 'contents')).toEqual(kept)
  expect([await filesIn(path, 'temporary'), await filesIn(path, 'trash')]).toEqual([[], []])
  expect(await stored(store, 'a')).toEqual(allOf(holding('shared', 'second')))

  await store.delete('a')
  await age(...(await filesIn(path, 'snapshots')), ...(await filesIn(path, 'contents')))
  expect(await store.collect({ olderThan: 3600 })).toEqual({ contents: 2, bytes: 11, ids: 2 })
  expect(await stored(store, 'b')).toEqual(allOf(holding('shared')))
  expect(await readdir(join(path, 'snapshots'))).toEqual(['b'])
})

it('puts back what a collection that ended in the middle has moved away', async () => {
  const { path, store } = await openStore()
  await store.put('a', holding('one', 'two'))
  await age(...(await filesIn(path, 'contents')))
  await rename(contentOf(path, 'one'), join(path, 'trash', sha256(bytes('one'))))
  const marked = join(path, 'trash', sha256(bytes('marked when it was moved away')))
  await writeFile(marked, 'marked when it was moved away')
  await mkdir(dirname(contentOf(path, 'marked when it was moved away')), { recursive: true })
  expect(await stored(store, 'a')).toEqual(allOf(holding('one', 'two')))
  expect(await store.collect()).toEqual({ contents: 0, bytes: 0, ids: 0 })
  expect(await filesIn(path, 'contents')).toHaveLength(3)
})

it('is whole after each put, whatever is collected meanwhile', async () => {
  const { path } = await openStore()
  const records = new Records(path, join(path, 'temporary'))
  const contents = new ContentFiles(path, join(path, 'temporary'))
  const manifestOf = async (record: RecordFile) => {
    const data = (await records.read(record, 2 ** 20)) ?? new Uint8Array()
    if (data.length === 0) return { files: [] }
    return (
      await readRecord(data, record, {
        key: undefined,
        limits: { maxFiles: 100, maxManifestBytes: 2 ** 20 },
      })
    ).manifest
  }
  let isOver = false
  let collected = 0
  const put = async (id: string) => {
    const store = directoryStore(path)
    for (let round = 0; round < 25; round += 1) {
      const snapshot = holding(`${round % 3}`, `${round % 4} ${id}`, 'same')
      await store.put(id, snapshot)
      expect(await stored(store, id)).toEqual(allOf(snapshot))
      if (round % 3 === 2) await store.delete(id)
    }
  }
  // It has no age of its own: contents that were just marked count as unused.
  const collectAll = async () => {
    while (!isOver) {
      const report = await collect({ records, contents, temporary: join(path, 'temporary'), manifestOf }, 0)
      collected += report.contents
    }
  }
  await put('first')
  const collecting = [collectAll(), collectAll()]
  await Promise.all(['a', 'b'].map(put)).finally(() => {
    isOver = true
  })
  await Promise.all(collecting)
  expect(collected).toBeGreaterThan(10)
})

it('keeps the highest of fences that are put at once', async () => {
  const { path, store } = await openStore()
  const stores = [store, directoryStore(path)]
  for (let round = 0; round < 20; round += 1) {
    const fences = [1, 2, 3, 4].map((each) => round * 10 + each)
    const ends = await Promise.allSettled(
      fences.map((fence, at) => (stores[at % 2] ?? store).put('a', holding(`${fence}`), { fence })),
    )
    expect(ends.at(-1)?.status).toBe('fulfilled')
    expect(await stored(store, 'a')).toEqual(allOf(holding(`${round * 10 + 4}`)))
  }
})

describe('a store that keeps small contents with their snapshots', () => {
  const small = { maxInline: 3, key: 'a key of 16 bytes or more' }

  it('gives all of a snapshot, and shares the larger ones', async () => {
    const { path, store } = await openStore(small)
    const snapshot = holding('one', 'two', 'three', '')
    await store.put('a', snapshot)
    expect(await stored(store, 'a')).toEqual(allOf(snapshot))
    expect(await filesIn(path, 'contents')).toEqual([contentOf(path, 'three')])
    expect(await stored(directoryStore(path, { ...small, maxInline: 0 }), 'a')).toEqual(allOf(snapshot))
    expect(await store.collect()).toEqual({ contents: 0, bytes: 0, ids: 0 })
  })

  it.each([
    [
      'a byte of one is another',
      (record: Buffer) => Buffer.from(record.toString().replace(/one(?=two|$)/, 'onf')),
    ],
    ['they are cut', (record: Buffer) => record.subarray(0, -1)],
    ['more follows', (record: Buffer) => Buffer.concat([record, Buffer.from('x')])],
    ['a size is none', (record: Buffer) => Buffer.from(record.toString().replace(/",3\]/, '",-3]'))],
    ['a digest is none', (record: Buffer) => Buffer.from(record.toString().replace(/\n\[\["./, '\n[["x'))],
    ['their list is cut', (record: Buffer) => record.subarray(0, record.lastIndexOf('\n'))],
  ])('refuses a record where %s', async (_what, alter) => {
    const { path, store } = await openStore(small)
    await store.put('a', holding('one', 'two'))
    const record = await recordOf(path)
    await writeFile(record, alter(await readFile(record)))
    await expect(store.get('a')).rejects.toMatchObject({ code: 'INVALID_SNAPSHOT', fault: 'malformed' })
  })

  it('keeps no more than 256 KiB of a snapshot so', async () => {
    const { path, store } = await openStore({ maxInline: 100_000 })
    await store.put('a', holding(...['a', 'b', 'c', 'd'].map((letter) => letter.repeat(90_000))))
    expect(await filesIn(path, 'contents')).toHaveLength(2)
  })

  it.each([-1, 0.5, 262_145, '1'])('refuses maxInline %j', (maxInline) => {
    expect(() => Reflect.apply(directoryStoreOf, undefined, ['/x', { maxInline }])).toThrow(
      'maxInline must be a whole number of bytes from 0 to 262144',
    )
  })
})

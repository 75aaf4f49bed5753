import fc from 'fast-check'
import { expect } from 'vitest'
import { Snapshot, SnapshotError } from '../../src/index.ts'
import { snapshotOf } from '../../src/snapshot/snapshot.ts'
import { allOf, exampleSnapshot, manifest, tarWith } from '../snapshot/support.ts'
import { codePoint } from '../support/code-point.ts'
import { fuzz } from './support/fuzz.ts'

const limits = { maxUnpackedBytes: 2 ** 22, maxManifestBytes: 2 ** 20, maxFiles: 100 }

/** Reads bytes; whatever they are, they are a snapshot or refused. */
async function read(data: Uint8Array): Promise<Snapshot | undefined> {
  try {
    return await Snapshot.from(data, { limits })
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotError)
    return undefined
  }
}

/** Bytes that are no UTF-8 included. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', ' ', '"', '\\', '\n', 'é', '𝄞') },
  fc.integer({ min: 0xdc80, max: 0xdcff }).map((code) => String.fromCharCode(code)),
)
const name = fc
  .array(character, { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(''))
  .filter((text) => text !== '.' && text !== '..')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`)
const fact = fc.record({ mode: fc.integer({ min: 0, max: 0o7777 }), modified: fc.integer() })

const content = fc
  .record({
    directories: fc.dictionary(path, fact, { maxKeys: 5 }),
    files: fc.array(fc.tuple(name, fact, fc.uint8Array({ maxLength: 20 })), { maxLength: 8 }),
    links: fc.array(fc.tuple(name, fact, name), { maxLength: 4 }),
    state: fc.dictionary(name, fc.string({ unit: character }), { maxKeys: 6 }),
    binds: fc.array(fc.tuple(name, fc.string({ unit: character }), fc.boolean()), { maxLength: 6 }),
  })
  .map(({ directories, files, links, state, binds }) => {
    const entries = new Map<string, { key: string; value: string; content?: number }>()
    for (const [key, value] of Object.entries(directories))
      entries.set(key, { key: `file ${key}`, value: JSON.stringify({ type: 'directory', ...value }) })
    const contents = new Map<number, Uint8Array<ArrayBuffer>>()
    for (const [at, [own, value, bytes]] of files.entries()) {
      contents.set(at + 1, new Uint8Array(bytes))
      const key = `file /file ${own}`
      entries.set(`/file ${own}`, { key, value: JSON.stringify({ type: 'file', ...value }), content: at + 1 })
    }
    for (const [own, value, target] of links)
      entries.set(`/link ${own}`, {
        key: `file /link ${own}`,
        value: JSON.stringify({ type: 'symlink', ...value, target }),
      })
    for (const [key, value] of Object.entries(state))
      entries.set(`variable ${key}`, { key: `variable ${key}`, value: JSON.stringify(value) })
    for (const [own, value, isFile] of binds) {
      const key = `bind own ${own}`
      entries.set(key, { key, value, ...(isFile && files.length > 0 ? { content: files.length } : {}) })
    }
    const used = new Set([...entries.values()].map((entry) => entry.content))
    const kept = new Map([...contents].filter(([id]) => used.has(id)))
    return snapshotOf({
      engine: 'bash',
      form: 'a form',
      createdAt: new Date(0),
      omitted: [],
      facts: { entries: [...entries.values()], contents: kept },
    })
  })

fuzz({
  target: 'snapshot',
  title: 'any snapshot is the same after it was bytes',
  cases: 60,
  input: fc.tuple(content, fc.boolean(), fc.option(fc.string({ minLength: 16 }), { nil: undefined })),
  holds: async ([snapshot, gzip, key]) => {
    const again = await Snapshot.from(await snapshot.toBytes({ gzip, key }), { key })
    expect(allOf(again)).toEqual(allOf(snapshot))
  },
})

const mutation = fc.record({
  at: fc.nat(),
  length: fc.nat({ max: 600 }),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    fc.nat({ max: 600 }).map((size) => new Uint8Array(size)),
  ),
})

fuzz({
  target: 'snapshot',
  title: 'bytes with any change are a snapshot or refused',
  cases: 300,
  input: fc.tuple(fc.boolean(), fc.array(mutation, { minLength: 1, maxLength: 4 })),
  holds: async ([gzip, mutations]) => {
    let data = Buffer.from(await exampleSnapshot().toBytes({ gzip }))
    for (const { at, length, bytes } of mutations) {
      const from = at % (data.length + 1)
      data = Buffer.concat([data.subarray(0, from), bytes, data.subarray(from + length)])
    }
    await (await read(data))?.toBytes()
  },
})

fuzz({
  target: 'snapshot',
  title: 'any manifest is a snapshot or refused',
  cases: 200,
  input: fc.oneof(
    fc.record({ files: fc.anything(), state: fc.anything(), binds: fc.anything(), version: fc.nat(3) }),
    fc.record({
      version: fc.constant(2),
      binds: fc.array(
        fc.record(
          {
            key: fc.oneof(
              fc.string().map((text) => `bind ${text}`),
              fc.string(),
            ),
            value: fc.oneof(fc.string({ unit: codePoint }), fc.anything()),
            content: fc.constantFrom((manifest.files[0] as { content: string }).content, '', 'x'),
          },
          { requiredKeys: ['key', 'value'] },
        ),
        { maxLength: 4 },
      ),
    }),
    fc.record({
      files: fc.array(
        fc.record(
          {
            path: fc.oneof(path, fc.string()),
            type: fc.constantFrom('file', 'directory', 'symlink', 'gone', '__proto__'),
            mode: fc.oneof(fc.nat(0o7777), fc.anything()),
            modified: fc.oneof(fc.integer(), fc.double()),
            target: fc.oneof(fc.string({ unit: codePoint }), fc.anything()),
            content: fc.constantFrom((manifest.files[0] as { content: string }).content, '', 'x'),
          },
          { requiredKeys: ['path', 'type'] },
        ),
        { maxLength: 4 },
      ),
      state: fc.array(fc.record({ key: fc.string(), value: fc.string({ unit: codePoint }) }), {
        maxLength: 3,
      }),
    }),
  ),
  holds: async (changes) => {
    await (await read(await tarWith(changes)))?.toBytes()
  },
})

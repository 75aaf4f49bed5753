import { gunzipSync, gzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { Snapshot, type SnapshotFault, type SnapshotReadOptions } from '../../src/index.ts'
import { snapshotOf } from '../../src/snapshot/snapshot.ts'
import { allOf, bytes, example, exampleSnapshot, manifest, sha256, tarOf, tarWith } from './support.ts'

const key = 'a key of 16 bytes or more'
const faultOf = (data: Uint8Array, options?: SnapshotReadOptions) =>
  Snapshot.from(data, options).then(
    () => 'taken',
    (error: unknown) =>
      error instanceof Error && 'fault' in error ? [error.name, error.fault] : ['unexpected', error],
  )
const refused = (fault: SnapshotFault) => ['SnapshotError', fault]

describe('a snapshot as bytes', () => {
  it.each([{}, { gzip: true }, { key }, { gzip: true, key: Buffer.from(key) }])(
    'has all of it again (%j)',
    async (options) => {
      const data = await exampleSnapshot().toBytes(options)
      const again = await Snapshot.from(data, 'key' in options ? { key } : {})
      expect(allOf(again)).toEqual(allOf(exampleSnapshot()))
      expect([again.engine, again.createdAt, again.omitted]).toEqual([
        'bash',
        example.createdAt,
        [{ kind: 'bind', name: '/work' }],
      ])
      expect(again.sizeBytes).toBeGreaterThan(300)
    },
  )

  it('is a tar with the manifest first, and each content once by its digest', async () => {
    const entries = await unpackTar(await exampleSnapshot().toBytes(), { strict: true })
    const digests = ['one', 'two'].map((text) => `contents/${sha256(bytes(text))}`).sort()
    expect(entries.map(({ header }) => header.name)).toEqual(['manifest.json', ...digests])
    expect(JSON.parse(Buffer.from(entries[0]?.data ?? []).toString())).toMatchObject({
      format: 'strands-shell-runtime snapshot',
      version: 2,
      files: [{ path: '/a' }, { path: '/a/b', content: sha256(bytes('one')) }, {}, {}, {}, { type: 'gone' }],
      binds: [{ content: sha256(bytes('one')) }, { key: 'bind marks' }],
    })
  })

  it('is of the version before where it has nothing of binds', async () => {
    const entries = example.facts.entries.filter(({ key }) => !key.startsWith('bind '))
    const data = await snapshotOf({ ...example, facts: { ...example.facts, entries } }).toBytes()
    const [first] = await unpackTar(data, { strict: true })
    const written: unknown = JSON.parse(Buffer.from(first?.data ?? []).toString())
    expect(written).toMatchObject({ version: 1 })
    expect(written).not.toHaveProperty('binds')
  })

  it('is the same each time, and unpacks with gunzip where it is signed', async () => {
    const [one, other] = [await exampleSnapshot().toBytes(), await exampleSnapshot().toBytes()]
    expect(Buffer.compare(one, other)).toBe(0)
    expect(Buffer.compare(gunzipSync(await exampleSnapshot().toBytes({ gzip: true, key })), one)).toBe(0)
  })

  it('keeps nothing of the bytes that it was read from', async () => {
    const data = await exampleSnapshot().toBytes()
    const reading = Snapshot.from(data)
    data.fill(0)
    expect(allOf(await reading)).toEqual(allOf(exampleSnapshot()))
  })

  it('is not written for a path that the format does not have', async () => {
    const entry = { key: `file /${'a/'.repeat(2000)}b`, value: 'gone' }
    const deep = snapshotOf({ ...example, facts: { ...example.facts, entries: [entry] } })
    await expect(deep.toBytes()).rejects.toMatchObject({ code: 'INVALID_SNAPSHOT', fault: 'malformed' })
  })

  it.each([
    ['gzip', { gzip: 1 }],
    ['key', { key: 'short' }],
    ['key', { key: 7 }],
    ['other', { other: 1 }],
  ])('refuses a wrong option %s', async (field, options) => {
    // @ts-expect-error: wrong on purpose.
    await expect(exampleSnapshot().toBytes(options)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
  })

  it.each([
    ['limits.maxBytes', { limits: { maxBytes: 0 } }],
    ['limits.other', { limits: { other: 1 } }],
    ['key', { key: 'short' }],
  ])('refuses a wrong option %s of reading', async (field, options) => {
    // @ts-expect-error: wrong on purpose.
    await expect(Snapshot.from(new Uint8Array(), options)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field,
    })
  })
})

describe('a signed snapshot', () => {
  it.each([{ key }, { gzip: true, key }])(
    'is refused when any bit of it has changed (%j)',
    async (options) => {
      const data = await exampleSnapshot().toBytes(options)
      const step = Math.ceil(data.length / 300)
      for (let at = 0; at < data.length; at += at > data.length - 200 ? 1 : step) {
        const altered = Buffer.from(data)
        altered.writeUInt8(altered.readUInt8(at) ^ (1 << (at % 8)), at)
        expect([at, await faultOf(altered, { key })]).toEqual([at, refused('signature')])
      }
    },
  )

  it('is refused where it is cut, longer, of another key, or read without one', async () => {
    const data = await exampleSnapshot().toBytes({ key })
    const other = `${key}.`
    expect([
      await faultOf(data.subarray(1), { key }),
      await faultOf(data.subarray(0, -1), { key }),
      await faultOf(Buffer.concat([data, Buffer.alloc(1)]), { key }),
      await faultOf(Buffer.concat([data, data]), { key }),
      await faultOf(data, { key: other }),
      await faultOf(data),
      await faultOf(new Uint8Array(), { key }),
    ]).toEqual(Array.from({ length: 7 }, () => refused('signature')))
  })

  it('is not one that was never signed', async () => {
    expect(await faultOf(await exampleSnapshot().toBytes(), { key })).toEqual(refused('signature'))
  })
})

describe('bytes that nobody has to trust', () => {
  const file = manifest.files[0] as object
  const one = `contents/${sha256(bytes('one'))}`
  const text = JSON.stringify(manifest)

  it('are taken where all of it is right', async () => {
    expect(await faultOf(await tarWith({}))).toBe('taken')
  })

  it.each<[string, () => Promise<Uint8Array>]>([
    ['nothing', async () => new Uint8Array()],
    ['no archive', async () => bytes('x'.repeat(5000))],
    ['an empty archive', () => tarOf()],
    ['an archive that is cut', async () => (await tarWith({})).subarray(0, 1024)],
    ['an archive without its end', async () => (await tarWith({})).subarray(0, -1024)],
    ['gzip that is cut', async () => gzipSync(await tarWith({})).subarray(0, -9)],
    ['no manifest', () => tarOf([one, 'one'])],
    ['a manifest that is not first', () => tarOf([one, 'one'], ['manifest.json', text])],
    ['two manifests', () => tarWith({}, ['manifest.json', text])],
    ['a manifest that is no JSON', () => tarOf(['manifest.json', '{'])],
    ['a manifest that is no UTF-8', () => tarOf(['manifest.json', new Uint8Array([0x22, 0xff, 0x22])])],
    ['a manifest of deep lists', () => tarOf(['manifest.json', '['.repeat(100_000) + ']'.repeat(100_000)])],
    ['another format', () => tarWith({ format: 'other' })],
    ['another engine', () => tarWith({ engine: { name: 'zsh', form: 'a form' } })],
    ['no time', () => tarWith({ createdAt: 'now' })],
    ['other lists', () => tarWith({ state: { length: 1 } })],
    ['a content twice', () => tarWith({}, [one, 'one'])],
    ['a content of other bytes', () => tarOf(['manifest.json', text], [one, 'two'])],
    ['a content that is missing', () => tarOf(['manifest.json', text])],
    ['a content of no file', () => tarWith({}, [`contents/${sha256(bytes('two'))}`, 'two'])],
    ['a content of another name', () => tarWith({}, ['contents/../../etc/passwd', 'two'])],
    ['a link', () => tarWith({}, [one, '', { type: 'symlink', linkname: '/etc/passwd' }])],
    ['a directory', () => tarWith({}, ['contents/', '', { type: 'directory' }])],
    [
      'the same variable twice',
      () => tarWith({ state: Array.from({ length: 2 }, () => ({ key: 'variable x', value: '""' })) }),
    ],
    ['a variable of no text', () => tarWith({ state: [{ key: 'variable x', value: 1 }] })],
    ['the same path twice', () => tarWith({ files: [file, file] })],
    ['a wrong mode', () => tarWith({ files: [{ ...file, mode: 0o10000 }] })],
    ['a wrong time', () => tarWith({ files: [{ ...file, modified: 1e300 }] })],
    ['a wrong digest', () => tarWith({ files: [{ ...file, content: '../../etc/passwd' }] })],
    ['binds in the version before', () => tarWith({ binds: [] })],
    ['no binds in their version', () => tarWith({ version: 2 })],
    ['a bind of another key', () => tarWith({ version: 2, binds: [{ key: 'variable x', value: '""' }] })],
    [
      'a bind of a wrong digest',
      () => tarWith({ version: 2, binds: [{ key: 'bind own', value: '', content: 'x' }] }),
    ],
    [
      'the same of a bind twice',
      () =>
        tarWith({ version: 2, binds: Array.from({ length: 2 }, () => ({ key: 'bind marks', value: '' })) }),
    ],
    [
      'a content of a bind that is missing',
      () => tarWith({ version: 2, binds: [{ key: 'bind own', value: '', content: sha256(bytes('two')) }] }),
    ],
    ['another type', () => tarWith({ files: [{ ...file, type: 'device' }] })],
    ['a link to nothing', () => tarWith({ files: [file, { ...file, path: '/l', type: 'symlink' }] })],
    [
      'a path below a file',
      () => tarWith({ files: [file, { path: '/a/b', type: 'directory', mode: 0, modified: 0 }] }),
    ],
    ...[
      'a',
      '',
      '/../a',
      '/a/../b',
      '/a/./b',
      '/a//b',
      '/a/',
      '//',
      '/\0',
      '/\ud800',
      '/\udc00',
      `/${'a'.repeat(40_000)}`,
      '/a'.repeat(2001),
    ].map((path): [string, () => Promise<Uint8Array>] => [
      `the path ${JSON.stringify(path.slice(0, 20))}`,
      () => tarWith({ files: [{ ...file, path }] }),
    ]),
  ])('are refused: %s', async (_, make) => {
    expect(await faultOf(await make())).toEqual(refused('malformed'))
  })

  it('are refused in another version', async () => {
    expect(await faultOf(await tarWith({ version: 3, files: 'other' }))).toEqual(refused('version'))
  })

  it.each<[string, SnapshotReadOptions['limits'], () => Promise<Uint8Array>]>([
    ['bytes', { maxBytes: 1000 }, () => tarWith({})],
    ['unpacked bytes', { maxUnpackedBytes: 1000 }, () => tarWith({})],
    [
      'unpacked bytes of gzip',
      { maxUnpackedBytes: 1_000_000 },
      async () => gzipSync(Buffer.alloc(2_000_000)),
    ],
    ['the manifest', { maxManifestBytes: 10 }, () => tarWith({})],
    ['files', { maxFiles: 1 }, () => tarWith({ files: [file, { path: '/b', type: 'gone' }] })],
    [
      'paths of binds',
      { maxFiles: 1 },
      () => tarWith({ version: 2, binds: [{ key: 'bind marks', value: '' }] }),
    ],
    ['contents', { maxFiles: 1 }, () => tarWith({}, [`contents/${sha256(bytes('two'))}`, 'two'])],
  ])('are held to the bound of %s', async (_, limits, make) => {
    expect(await faultOf(await make(), { limits: { ...limits } })).toEqual(refused('too-large'))
  })
})

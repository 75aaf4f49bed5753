import { createHash } from 'node:crypto'
import { packTar } from 'modern-tar'
import type { Snapshot } from '../../src/index.ts'
import type { SnapshotContent } from '../../src/snapshot/content.ts'
import { contentOf, snapshotOf } from '../../src/snapshot/snapshot.ts'

export const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const fact = (fields: object) => JSON.stringify({ mode: 0o644, modified: 1_700_000_000_000, ...fields })

/** A small session. */
export const example: SnapshotContent = {
  engine: 'bash',
  form: 'a form',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  omitted: [{ kind: 'bind', name: '/work' }],
  facts: {
    entries: [
      { key: 'file /a', value: fact({ type: 'directory', mode: 0o755 }) },
      { key: 'file /a/b', value: fact({ type: 'file' }), content: 1 },
      { key: 'file /a/\udcff', value: fact({ type: 'file', mode: 0o4711 }), content: 2 },
      { key: 'file /a/same', value: fact({ type: 'file' }), content: 2 },
      { key: 'file /l', value: fact({ type: 'symlink', target: '/a/\udc80' }) },
      { key: 'file /etc/hosts', value: 'gone' },
      { key: 'bind own ["copy","/work","a"]', value: 'in the words of the engine', content: 1 },
      { key: 'bind marks', value: 'of the engine' },
      { key: 'variable x', value: JSON.stringify('a \udcfe b') },
    ],
    contents: new Map([
      [1, bytes('one')],
      [2, bytes('two')],
    ]),
  },
}

/** All of a snapshot, in an order of its own, with the bytes of each file in its place. */
export function allOf(snapshot: Snapshot): unknown {
  const { facts, ...others } = contentOf(snapshot)
  const entries = facts.entries.map(({ key, value, content }) => ({
    key,
    value: key.startsWith('file /') && value !== 'gone' ? JSON.parse(value) : value,
    ...(content === undefined
      ? {}
      : { bytes: Buffer.from(facts.contents.get(content) ?? []).toString('hex') }),
  }))
  return { ...others, entries: entries.sort((one, other) => (one.key < other.key ? -1 : 1)) }
}

export const exampleSnapshot = (): Snapshot => snapshotOf(example)

export const manifest = {
  format: 'strands-shell-runtime snapshot',
  version: 1,
  engine: { name: 'bash', form: 'a form' },
  createdAt: '2026-01-02T03:04:05.678Z',
  omitted: [],
  files: [
    { path: '/a', type: 'file', mode: 0o644, modified: 0, content: sha256(bytes('one')) },
  ] as readonly unknown[],
  state: [] as readonly unknown[],
}

type Entry = readonly [name: string, body: string | Uint8Array, header?: Readonly<Record<string, unknown>>]

/** A tar with these entries. */
export function tarOf(...entries: readonly Entry[]): Promise<Uint8Array> {
  return packTar(
    entries.map(([name, text, header = {}]) => {
      const body = Buffer.from(text)
      return { header: { name, size: body.length, ...header }, body }
    }),
  )
}

/** The tar of a manifest, with the content that `manifest` names. */
export const tarWith = (changes: object, ...others: readonly Entry[]): Promise<Uint8Array> =>
  tarOf(
    ['manifest.json', JSON.stringify({ ...manifest, ...changes })],
    [`contents/${sha256(bytes('one'))}`, 'one'],
    ...others,
  )

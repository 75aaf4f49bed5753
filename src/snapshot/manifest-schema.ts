import { BIND_KEY, type FileFact, type OmittedPart } from '../contract/checkpoint.ts'
import type { EngineName } from '../contract/lease.ts'
import {
  count,
  eitherOf,
  exactly,
  listOf,
  objectOf,
  oneOf,
  orAbsent,
  type SchemaOf,
  text,
  valueThat,
} from '../sandbox/schema-parts.ts'
import { isDigest } from './digest.ts'

/** What the manifest of every version begins with. */
export const FORMAT = 'strands-shell-runtime snapshot'
/** The version of a snapshot that has nothing of binds, and that of one that has. This package reads both. */
export const VERSIONS = { plain: 1, withBinds: 2 } as const

type Facts<Type extends FileFact['type']> = Pick<FileFact, 'mode' | 'modified'> & {
  readonly path: string
  readonly type: Type
}

/** A path that differs from that of a fresh shell. */
export type FileEntry =
  /** `content` is the digest of its bytes. */
  | (Facts<'file'> & { readonly content: string })
  | Facts<'directory'>
  | (Facts<'symlink'> & { readonly target: string })
  /** A fresh shell has it, this one has not. */
  | { readonly path: string; readonly type: 'gone' }

/** What a session has of its binds, in the words of the engine. */
export interface BindEntry {
  readonly key: string
  readonly value: string
  /** The digest of the bytes that belong to it. */
  readonly content?: string
}

/** What a snapshot holds, without the bytes of its files. */
export interface Manifest {
  readonly format: typeof FORMAT
  readonly version: number
  readonly engine: {
    readonly name: EngineName
    /** In which form the engine writes `state`. */
    readonly form: string
  }
  /** As `Date.toISOString()` gives it. */
  readonly createdAt: string
  readonly omitted: readonly OmittedPart[]
  readonly files: readonly FileEntry[]
  /** Variables, functions and options, in the words of the engine. */
  readonly state: readonly { readonly key: string; readonly value: string }[]
  /** Changes of copies, marks and digests. Absent where there are none. */
  readonly binds?: readonly BindEntry[]
}

const mode = valueThat(
  (value): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0o7777,
)
const LAST_TIME = 8.64e15
const modified = valueThat(
  (value): value is number => typeof value === 'number' && Math.abs(value) <= LAST_TIME,
)
const digest = valueThat((value): value is string => typeof value === 'string' && isDigest(value))
const bindKey = valueThat((value): value is string => typeof value === 'string' && value.startsWith(BIND_KEY))
const moment = valueThat(
  (value): value is string => typeof value === 'string' && value.length <= 30 && isMoment(value),
)

function isMoment(value: string): boolean {
  const time = Date.parse(value)
  return Number.isFinite(time) && new Date(time).toISOString() === value
}

const fileEntry: SchemaOf<FileEntry> = eitherOf<FileEntry>([
  objectOf<FileEntry & { readonly type: 'file' }>({
    path: text,
    type: exactly('file'),
    mode,
    modified,
    content: digest,
  }),
  objectOf<FileEntry & { readonly type: 'directory' }>({
    path: text,
    type: exactly('directory'),
    mode,
    modified,
  }),
  objectOf<FileEntry & { readonly type: 'symlink' }>({
    path: text,
    type: exactly('symlink'),
    mode,
    modified,
    target: text,
  }),
  objectOf<FileEntry & { readonly type: 'gone' }>({ path: text, type: exactly('gone') }),
])

/** What every version of a manifest has. */
export const headSchema = objectOf<Pick<Manifest, 'format' | 'version'>>({
  format: exactly(FORMAT),
  version: count,
})

export const omittedSchema = listOf(
  objectOf<OmittedPart>({
    kind: oneOf<OmittedPart['kind']>({
      bind: true,
      job: true,
      function: true,
      times: true,
      credential: true,
    }),
    name: text,
  }),
)

export const manifestSchema = objectOf<Manifest>({
  format: exactly(FORMAT),
  version: count,
  engine: objectOf<Manifest['engine']>({
    name: oneOf<EngineName>({ bash: true, jail: true, strands: true }),
    form: text,
  }),
  createdAt: moment,
  omitted: omittedSchema,
  files: listOf(fileEntry),
  state: listOf(objectOf<Manifest['state'][number]>({ key: text, value: text })),
  binds: orAbsent(listOf(objectOf<BindEntry>({ key: bindKey, value: text, content: orAbsent(digest) }))),
})

import { types } from 'node:util'
import * as v from 'valibot'
import { isPlain } from '../contract/plain.ts'
import type { DirectoryRecord, StartRecord } from '../contract/shell-record.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import { fieldPath } from '../sandbox/field-path.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { bytesOfBase64 } from './base64.ts'
import { patterns } from './bind-schema.ts'
import { isDestination, normalizeDestination } from './destination.ts'
import { hostPath } from './resolve-binds.ts'
import { fields, text } from './rules.ts'
import { snapshot } from './snapshot.ts'

/** Files of a config, at most: each crosses to the worker in a buffer of its own. */
const MAX_FILES = 1000

const directorySchema = fields(
  {
    directory: text({ expected: 'the path of a host directory' }, (path) => path !== ''),
    exclude: v.optional(patterns),
  },
  'a plain object like { directory, exclude }',
)

/** Files of a config, read once. */
export interface ResolvedFiles {
  readonly files: NonNullable<StartRecord['files']>
  readonly directories: readonly DirectoryRecord[]
}

/** Copies the files of a config. @throws SandboxConfigError naming the file that is not valid */
export function resolveFiles(files: unknown): ResolvedFiles {
  const found = {
    files: [] as (readonly [path: string, content: Uint8Array])[],
    directories: [] as DirectoryRecord[],
  }
  if (files === undefined) return found
  return reading('files', () => {
    if (typeof files !== 'object' || files === null || !isPlain(files)) {
      throw refuse('files', `must be a plain object of paths and contents, but is ${kindOf(files)}.`)
    }
    for (const [key, content] of Object.entries<unknown>({ ...files })) {
      const field = fieldPath(['files', key])
      if (!isDestination(key)) {
        throw refuse(field, 'must be an absolute path, without "..". Begin it with "/".')
      }
      const path = normalizeDestination(key)
      if (path === '/')
        throw refuse(field, 'must be below the root. Name a directory of its own, like "/data".')
      const read = contentOf(content, key)
      if (types.isUint8Array(read)) found.files.push([path, read])
      else found.directories.push({ path, ...read })
    }
    if (found.files.length > MAX_FILES) {
      throw refuse(
        'files',
        `holds ${found.files.length} files, and may hold ${MAX_FILES}. Put them into a host directory, and name it: { directory }.`,
      )
    }
    return found
  })
}

function contentOf(content: unknown, key: string): Uint8Array | Omit<DirectoryRecord, 'path'> {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  if (types.isUint8Array(content)) return new Uint8Array(content)
  if (typeof content !== 'object' || content === null || !isPlain(content)) {
    throw refuse(
      fieldPath(['files', key]),
      `must be a string, a Uint8Array or an object like { directory }, but is ${kindOf(content)}.`,
    )
  }
  if ('base64' in content) return bytesOfBase64(content, ['files', key])
  const { directory, exclude = [] } = parsed(directorySchema, snapshot(content), key)
  return {
    source: hostPath(directory, fieldPath(['files', key, 'directory'])),
    ...(exclude.length === 0 ? {} : { exclude: Object.freeze(exclude) }),
  }
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  key: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [{ path = [], message }] = result.issues
  throw refuse(fieldPath(['files', key, ...path.map((part) => keyOf(part.key))]), message)
}

function keyOf(key: unknown): string | number {
  return typeof key === 'number' ? key : String(key)
}

import { types } from 'node:util'
import { isDestination, normalizeDestination } from '../../config/destination.ts'
import { reading, refuse } from '../../sandbox/arguments.ts'
import { fieldPath } from '../../sandbox/field-path.ts'
import { isWithin } from '../../sandbox/is-within.ts'
import { isPlain } from '../../sandbox/plain.ts'
import { kindOf } from '../../sandbox/show-value.ts'

type Files = readonly (readonly [path: string, content: Uint8Array])[]

/** Copies the files of a config. @throws SandboxConfigError naming the file that is not valid */
export function resolveFiles(files: unknown): Files {
  if (files === undefined) return []
  return reading('files', () => {
    if (typeof files !== 'object' || files === null || !isPlain(files)) {
      throw refuse('files', `must be a plain object of paths and contents, but is ${kindOf(files)}.`)
    }
    return Object.entries<unknown>({ ...files }).map(([path, content]) => {
      const field = fieldPath(['files', path])
      if (!isDestination(path))
        throw refuse(field, 'must be an absolute path, without "..". Begin it with "/".')
      return [normalizeDestination(path), bytesOf(content, field)]
    })
  })
}

/** Refuses files that would be written into a bind, and so to the host. @throws SandboxConfigError naming the file */
export function refuseBoundFiles(files: Files, binds: readonly { readonly destination: string }[]): void {
  for (const [path] of files) {
    const index = binds.findIndex(({ destination }) => isWithin(destination, path))
    if (index === -1) continue
    throw refuse(
      fieldPath(['files', path]),
      `must be outside of every bind, but lies in binds[${index}]. Put it in the bound directory, or write it after open.`,
    )
  }
}

function bytesOf(content: unknown, field: string): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  if (types.isUint8Array(content)) return new Uint8Array(content)
  throw refuse(field, `must be a string or a Uint8Array, but is ${kindOf(content)}.`)
}

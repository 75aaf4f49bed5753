import * as v from 'valibot'
import { isDestination, normalizeDestination } from './destination.ts'
import { list, oneOf, text } from './rules.ts'

const path = v.pipe(
  text({ expected: 'an absolute path, without ".."', remedy: 'Begin it with "/".' }, isDestination),
  v.transform(normalizeDestination),
)

/** The fields of every config that say how a session begins, and what it may reach; `files` are read apart. */
export const startEntries = {
  cwd: v.optional(path),
  init: v.optional(text({ expected: 'a script' })),
  writable: v.optional(list(path, 'an array of absolute paths')),
  network: v.optional(oneOf(['restricted'])),
}

import * as v from 'valibot'

/** A directory entry. */
const entry = v.object({ name: v.string(), isDir: v.optional(v.boolean()), size: v.optional(v.number()) })

/** What is in a directory. */
export const entriesSchema = v.object({ entries: v.array(entry) })

/** What is at a path. */
export const statSchema = v.object({
  kind: v.picklist(['file', 'directory', 'link', 'other']),
  size: v.number(),
  mode: v.number(),
  modified: v.pipe(v.number(), v.description('Milliseconds since the epoch.')),
})

/** What was taken out of a tar. */
export const unpackedSchema = v.object({
  files: v.number(),
  directories: v.number(),
  skipped: v.pipe(v.array(v.string()), v.description('Entries that are neither a file nor a directory.')),
})

/** A path. */
export const pathSchema = v.strictObject({ path: v.string() })

/** From where to where. */
export const placesSchema = v.strictObject({ from: v.string(), to: v.string() })

/** What a sandbox did to its binds. */
export const changesSchema = v.object({
  mark: v.string(),
  changes: v.array(
    v.object({
      bind: v.string(),
      path: v.string(),
      kind: v.picklist(['file', 'directory', 'link']),
      change: v.picklist(['added', 'changed', 'removed']),
    }),
  ),
})

/** Which changes of a copy are to be written. */
export const applySchema = v.strictObject({
  bind: v.string(),
  paths: v.pipe(v.optional(v.array(v.string())), v.description('Without it, every change.')),
})

/** What was written. */
export const appliedSchema = v.object({
  written: v.array(v.string()),
  removed: v.array(v.string()),
  conflicts: v.array(v.object({ path: v.string(), hostPath: v.string(), kept: v.optional(v.string()) })),
})

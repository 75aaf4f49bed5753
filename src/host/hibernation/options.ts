import { refuse } from '../../sandbox/arguments.ts'
import { optionsOf, within } from '../../sandbox/options-of.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import type { SnapshotStore } from '../../snapshot/store.ts'

/** Where a host stores the sessions of its named sandboxes, and when. */
export interface HibernateOptions {
  /** Where they are stored. Another host, also one of a later process, goes on with them. */
  readonly store: SnapshotStore
  /**
   * Seconds without a call after which a named sandbox gives its place up. Its next call takes one again. From 0.01 to 86400 (a
   * day).
   *
   * @default undefined (only where others need its place, and when the host drains)
   */
  readonly after?: number | undefined
}

const methods = ['put', 'get', 'find', 'delete'] as const

/** Reads each option once. @throws SandboxConfigError naming the one that is not valid */
export function resolveHibernate(options: unknown): HibernateOptions {
  const { store, after } = optionsOf<HibernateOptions>(options, ['store', 'after'], 'hibernate')
  if (!isStore(store)) {
    throw refuse(
      'hibernate.store',
      `must be a store of snapshots with ${methods.join(', ')} and list, but is ${kindOf(store)}. directoryStore(path) makes one.`,
    )
  }
  if (after === undefined) return { store }
  return { store, after: within('hibernate.after', after, { least: 0.01, most: 86_400, unit: 'seconds' }) }
}

function isStore(value: unknown): value is SnapshotStore {
  if (typeof value !== 'object' || value === null) return false
  return methods.every((name) => typeof Reflect.get(value, name) === 'function')
}

import { hash } from 'node:crypto'
import type { Labels } from '../host/event-data.ts'

/** Bytes of what {@link tenantOf} gives, at most. */
export const longestTenant = 17

/**
 * What the keys of a tenant's sandboxes begin with. A sandbox has one key in the service, by which host, store and records know it:
 * its id, behind this. Ids of two tenants are never in each other's way, and tell nothing of each other.
 *
 * @returns the same text for all tokens with these labels; an empty one without labels
 */
export function tenantOf(labels: Labels): string {
  const pairs = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))
  return pairs.length === 0 ? '' : `${hash('sha256', JSON.stringify(pairs), 'hex').slice(0, 16)}~`
}

/** What a tenant calls the sandbox with a key: one of its own by its id, others that it may see by the whole key. */
export function idOfKey(tenant: string, key: string): string {
  return tenant !== '' && key.startsWith(tenant) ? key.slice(tenant.length) : key
}

/** Whether a text looks like the key of a tenant's sandbox. */
export function isKeyOfTenant(text: string): boolean {
  return /^[0-9a-f]{16}~/.test(text)
}

import { posix } from 'node:path'

/** The address of a path of the sandbox: `sandbox:///work/a%20b`. */
export function uriOf(path: string): string {
  return `sandbox://${path.split('/').map(encodeURIComponent).join('/')}`
}

/** The path that an address names; undefined where it is none of a sandbox, or not in the plainest form. */
export function pathOf({ protocol, host, pathname, search, hash }: URL): string | undefined {
  if (protocol !== 'sandbox:' || host !== '' || search !== '' || hash !== '') return undefined
  const path = decoded(pathname)
  if (!path?.startsWith('/') || path.includes('\0')) return undefined
  if (posix.normalize(path) !== path) return undefined
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // What is no percent-encoding names no path.
    return undefined
  }
}

import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Architectures that this package has a filter for. */
const architectures: ReadonlySet<string> = new Set(['x64', 'arm64'])

/** The file with the seccomp filter of jails; undefined where this package has none for the architecture, or is bundled. */
export function seccompFilter(arch: string = process.arch): string | undefined {
  if (!architectures.has(arch)) return undefined
  try {
    const { resolve } = createRequire(import.meta.url)
    return join(dirname(resolve('strands-shell-runtime/package.json')), 'seccomp', `${arch}.bpf`)
  } catch {
    return undefined // Not installed where this code runs.
  }
}

/** The filter of cells, which start no process, beside that of jails. */
export function cellFilter(filter: string): string {
  return join(dirname(filter), `cell-${basename(filter)}`)
}

import { createRequire } from 'node:module'

/** The version of this package. */
export function packageVersion(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)(
    'strands-shell-runtime/package.json',
  )
  return manifest.version
}

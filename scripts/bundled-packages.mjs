import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages that are bundled, by their files: what an alias names by its path is no package. */
export function bundledPackages() {
  const files = JSON.parse(readFileSync(`${root}scripts/bundled-packages.json`, 'utf8'))
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, `${root}node_modules/${file}`]),
  )
}

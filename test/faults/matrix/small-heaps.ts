import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

/** V8's option overrides the limit that a worker is started with, so that filling its heap takes no 2 GiB. In MiB. */
const limit = '--max-old-space-size='
const small = 64

/** Gives the workers that this process starts from now on a small heap. Gives how to end that. */
export function smallHeaps(): () => void {
  setFlagsFromString(limit + small)
  return () => setFlagsFromString(`${limit}0`)
}

/** A cell entry whose workers have a small heap, written into a directory. */
export function smallHeapCell(directory: string): URL {
  const entry = pathToFileURL(createRequire(import.meta.url).resolve('strands-shell-runtime/cell'))
  const path = join(directory, 'small-heap-cell.mjs')
  writeFileSync(
    path,
    `import { setFlagsFromString } from 'node:v8'\nsetFlagsFromString('${limit}${small}')\nawait import('${entry}')\n`,
  )
  return pathToFileURL(path)
}

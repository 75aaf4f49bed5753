import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory with a `bwrap` that does this. */
export function fakeBwrap(script: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'bwrap-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'bwrap'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(directory, 'bwrap'), 0o755)
  return directory
}

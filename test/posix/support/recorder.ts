import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../strands-shell/support/temporary.ts'

/** A stand-in for a client on PATH: it notes its arguments, and runs what comes after `words` of them. */
export async function recordingClient(program: string, run: string): Promise<() => string[]> {
  const directory = await temporaryDirectory()
  const notes = join(directory, 'arguments')
  const script = `#!/bin/sh\nprintf '%s\\0' "$@" > '${notes}'\n${run}\n`
  writeFileSync(join(directory, program), script, { mode: 0o755 })
  const { PATH } = process.env
  process.env['PATH'] = `${directory}:${PATH}`
  onTestFinished(() => {
    process.env['PATH'] = PATH
  })
  return () => readFileSync(notes, 'utf8').split('\0').slice(0, -1)
}

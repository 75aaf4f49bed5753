import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A directory with a FIFO `pipe` that nobody writes: a native command that reads it never ends, and takes no processor
 * time. The end of the test ends the command, and removes the directory.
 */
export function silentPipe(atEnd: (cleanup: () => void) => void = onTestFinished): string {
  const directory = mkdtempSync(join(tmpdir(), 'silent-pipe-'))
  execFileSync('mkfifo', [join(directory, 'pipe')])
  atEnd(() => {
    endReaders(directory)
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** Ends the commands that read the pipe of such a directory. */
export function endReaders(directory: string): void {
  closeSync(openSync(join(directory, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK))
}

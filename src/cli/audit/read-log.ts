import { setTimeout as sleep } from 'node:timers/promises'
import { type FoundLine, LogFile } from './log-file.ts'
import { openOldest, openSuccessor } from './rotation.ts'

/** Milliseconds between two looks at a file. */
const interval = 200

/** What of a log is read. */
export interface ReadOptions {
  /** Its rotated files first. */
  readonly all?: boolean
  /** What is written from now on, too, also across rotation: then it does not end. */
  readonly follow?: boolean
  /** Says whether reading goes on. */
  readonly goesOn?: () => boolean
}

/** The lines of a log in their order. @throws what reading a file throws */
export async function* readLog(
  path: string,
  { all = false, follow = false, goesOn = () => true }: ReadOptions,
): AsyncGenerator<FoundLine, void> {
  let file = (all ? await openOldest(path, goesOn) : undefined) ?? (await LogFile.open(path))
  try {
    while (goesOn()) {
      yield* file.lines(false)
      const next = all || follow ? await openSuccessor(file, path, goesOn) : undefined
      if (next !== undefined) {
        // What was written before it was renamed.
        yield* file.lines(true)
        await file.close()
        file = next
      } else if (follow) await sleep(interval)
      else {
        yield* file.lines(true)
        return
      }
    }
  } finally {
    await file.close()
  }
}

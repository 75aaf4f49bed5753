import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { rotatedNumbers } from '../../audit/rotated-files.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { type FoundLine, LogFile } from './log-file.ts'

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
  const [oldest = path] = all ? await rotatedFiles(path) : []
  let file = await LogFile.open(oldest)
  try {
    while (goesOn()) {
      yield* file.lines(false)
      const next = all || follow ? await successorOf(file, path) : undefined
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

/** The file after this one; undefined where it is the last. */
async function successorOf(file: LogFile, path: string): Promise<LogFile | undefined> {
  const own = await file.stat()
  const files = [...(await rotatedFiles(path)), path]
  const facts = await Promise.all(files.map(statOf))
  const at = facts.findIndex((one) => one?.ino === own.ino && one.dev === own.dev)
  // Where it was moved or removed, those that were written after it are the next ones.
  const next = at === -1 ? facts.findIndex((one) => one !== undefined && one.mtimeMs >= own.mtimeMs) : at + 1
  const [name, wanted] = [files[next], facts[next]]
  if (name === undefined || wanted === undefined) return undefined
  // It may have been renamed since.
  const found = await openIfThere(name)
  if (found === undefined || (await found.stat()).ino === wanted.ino) return found
  await found.close()
  return undefined
}

/** The rotated files of a log, oldest first: `FILE.2`, `FILE.1`. */
async function rotatedFiles(path: string): Promise<readonly string[]> {
  return [...(await rotatedNumbers(path))].reverse().map((number) => `${path}.${number}`)
}

function openIfThere(path: string): Promise<LogFile | undefined> {
  return LogFile.open(path).catch(undefinedIfMissing)
}

/** Undefined where there is no such file. */
function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(undefinedIfMissing)
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
  return undefined
}

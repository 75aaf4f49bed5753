import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { rotatedNumbers } from '../../audit/rotated-files.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { LogFile } from './log-file.ts'

/** Milliseconds between two looks at files that are being renamed. */
const pause = 5

/** A file of a log, as it was found. */
interface Found {
  readonly path: string
  readonly facts: Stats
}

/** Opens the oldest file of a log; undefined where it has none, or when reading is over. */
export function openOldest(path: string, goesOn: () => boolean): Promise<LogFile | undefined> {
  return openOf(path, goesOn, ([oldest]) => oldest)
}

/** Opens the file after this one; undefined where it is the last, or when reading is over. */
export async function openSuccessor(
  file: LogFile,
  path: string,
  goesOn: () => boolean,
): Promise<LogFile | undefined> {
  const own = await file.stat()
  const newest = await factsOf(path)
  if (newest !== undefined && isSame(newest, own)) return undefined
  return openOf(path, goesOn, (files) => {
    const at = files.findIndex(({ facts }) => isSame(facts, own))
    // Where it was moved or removed, those that were written after it are the next ones.
    return at === -1 ? files.find(({ facts }) => facts.mtimeMs >= own.mtimeMs) : files[at + 1]
  })
}

/** Opens the file that is chosen of a log's, oldest first. They are looked at again where it was renamed meanwhile. */
async function openOf(
  path: string,
  goesOn: () => boolean,
  choose: (files: readonly Found[]) => Found | undefined,
): Promise<LogFile | undefined> {
  for (let before = await filesOf(path); goesOn(); ) {
    const files = await filesOf(path)
    // A rotation renames file after file: what two looks find was there between them.
    if (isEqual(before, files)) {
      const chosen = choose(files)
      if (chosen === undefined) return undefined
      const file = await openIfThere(chosen.path)
      if (file !== undefined && isSame(await file.stat(), chosen.facts)) return file
      await file?.close()
    }
    before = files
    await sleep(pause)
  }
  return undefined
}

/** The files of a log that are found one after the other: the rotated ones, `FILE.2`, `FILE.1`, and `FILE`. */
async function filesOf(path: string): Promise<readonly Found[]> {
  const rotated = [...(await rotatedNumbers(path))].reverse().map((number) => `${path}.${number}`)
  const found = await Promise.all(
    [...rotated, path].map(async (each) => {
      const facts = await factsOf(each)
      return facts === undefined ? [] : [{ path: each, facts }]
    }),
  )
  return found.flat()
}

function isEqual(some: readonly Found[], others: readonly Found[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ path, facts }, index) => {
      const other = others[index]
      return other !== undefined && path === other.path && isSame(facts, other.facts)
    })
  )
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev
}

function factsOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(undefinedIfMissing)
}

function openIfThere(path: string): Promise<LogFile | undefined> {
  return LogFile.open(path).catch(undefinedIfMissing)
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
  return undefined
}

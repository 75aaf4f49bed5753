import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/** The numbers of the rotated files of a log that are there, from the newest, 1, on. */
export async function rotatedNumbers(path: string): Promise<readonly number[]> {
  const begin = `${basename(path)}.`
  return (await readdir(dirname(path)))
    .filter((name) => name.startsWith(begin) && /^[1-9]\d{0,3}$/.test(name.slice(begin.length)))
    .map((name) => Number(name.slice(begin.length)))
    .sort((one, other) => one - other)
}

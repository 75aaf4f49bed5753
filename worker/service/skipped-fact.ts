import type { ShellDescription } from '../../src/contract/shell-api.ts'

export type Skipped = ShellDescription['skipped']

/** The key of the fact of what was left out of host directories when a session began. */
export const SKIPPED_KEY = 'skipped'

/** @throws {TypeError} where a checkpoint holds something else */
export function readSkipped(json: string): Skipped {
  const list: unknown = JSON.parse(json)
  if (!Array.isArray(list)) throw wrong()
  return list.map(readOne)
}

function readOne(one: unknown): Skipped[number] {
  if (typeof one !== 'object' || one === null) throw wrong()
  const { bind, path, reason }: Partial<Record<keyof Skipped[number], unknown>> = one
  if (typeof bind !== 'string' || typeof path !== 'string' || typeof reason !== 'string') throw wrong()
  return { bind, path, reason }
}

function wrong(): TypeError {
  return new TypeError('The checkpoint is not of this version of the package.')
}

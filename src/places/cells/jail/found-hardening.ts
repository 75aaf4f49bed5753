import type { Hardening } from '../../../contract/isolation.ts'

/** What the cells of a host have. */
export interface CellHardening {
  /** `'jail'`: each cell is in a jail. `'none'`: none is. */
  readonly cells: 'jail' | 'none'
  /** Why they are in none; undefined where they are. */
  readonly reason: string | undefined
  /** What to do about it; undefined where they are in jails, or nobody wants them there. */
  readonly remedy: string | undefined
}

/** What cells have by the option of their host alone; undefined where the machine decides. */
export function chosenHardening(option: Hardening): CellHardening | undefined {
  if (option !== 'none') return undefined
  return { cells: 'none', reason: "hardening is 'none'.", remedy: undefined }
}

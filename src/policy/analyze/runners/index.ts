import { BUILTINS } from './builtins.ts'
import type { Runner } from './context.ts'
import { find } from './find.ts'
import { SHELLS } from './shells.ts'
import { WRAPPERS } from './wrappers.ts'
import { xargs } from './xargs.ts'

/** What programs run besides themselves, by their names. */
export const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ...WRAPPERS,
  ...SHELLS,
  ...BUILTINS,
  ['find', find],
  ['xargs', xargs],
])

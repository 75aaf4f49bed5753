import type { StrandsRecord } from '../../../../src/contract/shell-record.ts'
import { STATUS_HELPER } from '../translate/helpers.ts'
import { LUA_PRELUDE } from './bare-lua.ts'
import { TEST_ALIASES, TEST_PRELUDE, UNTRIED_ALIASES } from './test-operands.ts'

const FUNCTIONS = [...LUA_PRELUDE, ...TEST_PRELUDE, STATUS_HELPER]

/**
 * What a fresh session runs before its first command. It is one run, which costs less than several; the
 * aliases in it act from the next run on.
 */
export const PRELUDE = [...FUNCTIONS, ...TEST_ALIASES].join('\n')

/** The same where each guard can run: trying one takes 80 KB of stack that most sessions never need. */
const UNTRIED_PRELUDE = [...FUNCTIONS, ...UNTRIED_ALIASES].join('\n')

/** Brings the aliases of the guards back after a command that took them away. */
export const RESTORE_ALIASES = TEST_ALIASES.join('\n')

/** Limits that bound no guard. */
const OF_SIZES: ReadonlySet<string> = new Set(['maxOutput', 'maxFileSize', 'maxInodes'])
/** Seconds: the guards have run long before. */
const AMPLE = 1

/** What a session of this record runs first. */
export function preludeOf({
  limits,
  timeout = AMPLE,
  configFile,
}: Pick<StrandsRecord, 'limits' | 'timeout' | 'configFile'>): string {
  const isBound = Object.keys(limits).some((name) => !OF_SIZES.has(name))
  return isBound || timeout < AMPLE || configFile !== undefined ? PRELUDE : UNTRIED_PRELUDE
}

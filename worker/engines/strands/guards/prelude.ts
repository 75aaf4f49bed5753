import { HELPERS } from '../translate/helpers.ts'
import { LUA_PRELUDE } from './bare-lua.ts'
import { TEST_ALIASES, TEST_PRELUDE } from './test-operands.ts'

/**
 * What a fresh session runs before its first command. It is one run, which costs less than several; the
 * aliases in it act from the next run on.
 */
export const PRELUDE = [...LUA_PRELUDE, ...TEST_PRELUDE, HELPERS, ...TEST_ALIASES].join('\n')

/** Brings the aliases of the guards back after a command that took them away. */
export const RESTORE_ALIASES = TEST_ALIASES.join('\n')

import { LUA_PRELUDE } from './bare-lua.ts'
import { TEST_PRELUDE } from './test-operands.ts'

/**
 * What a fresh session runs, each in a run of its own, before its first command: an alias acts only from
 * the next run on.
 */
export const PRELUDE: readonly string[] = [...TEST_PRELUDE, ...LUA_PRELUDE]

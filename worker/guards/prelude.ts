import { LUA_PRELUDE } from './bare-lua.ts'
import { TEST_PRELUDE } from './test-operands.ts'

/**
 * What a fresh session runs before its first command. It is one run, which costs less than several; the
 * aliases in it act from the next run on.
 */
export const PRELUDE: readonly string[] = [[...LUA_PRELUDE, ...TEST_PRELUDE].join('\n')]

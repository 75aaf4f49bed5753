import { refuse } from '../../sandbox/arguments.ts'
import { optionsOf } from '../../sandbox/options-of.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import type { ScriptAnalysis } from '../analysis.ts'
import type { Approver, Policy, PolicyCall } from '../types.ts'

/** Options of {@link askFor}. */
export interface AskForOptions {
  /**
   * Which calls are asked about; others are allowed.
   *
   * @default every call
   */
  readonly when?: ((call: PolicyCall, analysis: ScriptAnalysis) => boolean | Promise<boolean>) | undefined
}

/**
 * Asks for the approval of calls: one runs where the approver says `true`. One that throws, says anything else or takes longer
 * than its limit denies the call.
 *
 * The approver sees the text of the call and what it says of itself. It cannot see what is only known at run time
 * (`analysis.opaque`), what a script file has, or which functions and aliases earlier calls have defined. A `when` that looks at
 * `analysis.commands` alone misses these: let it also ask where `analysis.opaque` is not empty.
 *
 * @throws {SandboxConfigError} with the field `approver` or `when` where it is no function
 */
export function askFor(approver: Approver, options: AskForOptions = {}): Policy {
  if (typeof approver !== 'function')
    throw refuse('approver', `must be a function, but is ${kindOf(approver)}.`)
  const { when } = optionsOf<AskForOptions>(options, ['when'])
  if (when === undefined) return () => ({ ask: approver })
  if (typeof when !== 'function') throw refuse('when', `must be a function, but is ${kindOf(when)}.`)
  return async (call, analysis) => {
    const isAsked: unknown = await when(call, analysis)
    if (typeof isAsked !== 'boolean') throw new TypeError('The function "when" gave no boolean.')
    return isAsked ? { ask: approver } : 'allow'
  }
}

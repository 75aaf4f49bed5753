import { refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
import type { SandboxTool } from './sandbox-tool.ts'

/** Which calls need approval: all, none, or those that the function says. */
export type NeedsApproval =
  | boolean
  | ((tool: SandboxTool, input: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>)

/**
 * The question put to one tool, as its framework asks it.
 *
 * @throws SandboxConfigError with the field `needsApproval`
 */
export function approvalOf(
  needsApproval: NeedsApproval,
  tool: SandboxTool,
): boolean | ((input: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>) {
  if (typeof needsApproval === 'boolean') return needsApproval
  if (typeof needsApproval === 'function') return (input) => needsApproval(tool, input)
  throw refuse('needsApproval', `must be true, false or a function, but is ${kindOf(needsApproval)}.`)
}

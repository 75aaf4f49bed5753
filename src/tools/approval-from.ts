import type { Policy, PolicyCall, PolicySandbox } from '../policy/types.ts'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
import type { SandboxTool } from './sandbox-tool.ts'

/** What a policy is told of the sandbox of tools: a sandbox is one. */
export type ApprovalSandbox = Pick<PolicySandbox, 'shell' | 'generation'> &
  Partial<Pick<PolicySandbox, 'id' | 'labels'>>

/**
 * Makes `needsApproval` of a policy: a call of a tool needs the approval of the framework where the policy asks (`askFor`). Its own
 * approver is not called. What the policy denies needs none. A policy that fails, or takes longer than 5 seconds, asks.
 *
 * The policy that asks goes here, and not to the sandbox or host: that would ask a second time. Policies that deny go to the
 * sandbox. Where a policy puts another command in place (`run`), no approval is needed of it.
 *
 * @param sandbox - that of the tools; `labels` are those of its config
 * @throws {SandboxConfigError} with the field `policy` where it is no function
 */
export function approvalFrom(
  policy: Policy,
  sandbox: ApprovalSandbox,
): (tool: SandboxTool, input: Readonly<Record<string, unknown>>) => Promise<boolean> {
  if (typeof policy !== 'function') throw refuse('policy', `must be a function, but is ${kindOf(policy)}.`)
  return async (tool, input) => {
    const { id, shell, generation, labels = {} } = sandbox
    const call = callOf(tool, input, { id, shell, generation, labels })
    if (call === undefined) return true
    // With it comes the parser of scripts, which tools do without.
    const { asks } = await import('../policy/asks.ts')
    return asks(policy, call)
  }
}

/** The call of the sandbox that a tool makes, by the fields of its input; undefined for a tool that is not known. */
function callOf(
  tool: SandboxTool,
  input: Readonly<Record<string, unknown>>,
  sandbox: PolicySandbox,
): PolicyCall | undefined {
  const text = (name: string) => String(input[name] ?? '')
  const file = (operation: 'read' | 'write' | 'list') =>
    ({ sandbox, kind: 'file', operation, path: text('path') || '.', to: undefined }) as const
  const { shape } = tool.input
  if ('code' in shape)
    return { sandbox, kind: 'code', code: text('code'), language: text('language'), cwd: undefined }
  if ('content' in shape || 'new_str' in shape) return file('write')
  if ('depth' in shape) return file('list')
  if ('start_line' in shape) return file('read')
  return 'command' in shape
    ? { sandbox, kind: 'command', command: text('command'), cwd: undefined }
    : undefined
}

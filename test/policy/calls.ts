import { CallAnalysis } from '../../src/policy/analyze/call-analysis.ts'
import type { FileOperation, Policy, PolicyCall, PolicySandbox, Verdict } from '../../src/policy/types.ts'

type Shell = PolicySandbox['shell']

function sandbox(shell: Shell): PolicySandbox {
  return { id: 'one', labels: {}, shell, generation: 1 }
}

/** A command that a policy decides on. */
export function commandCall(command: string, shell: Shell = 'strands', cwd?: string) {
  return { sandbox: sandbox(shell), kind: 'command', command, cwd } as const satisfies PolicyCall
}

/** Code that a policy decides on. */
export function codeCall(code: string, language: string, shell: Shell = 'strands') {
  return {
    sandbox: sandbox(shell),
    kind: 'code',
    code,
    language,
    cwd: undefined,
  } as const satisfies PolicyCall
}

/** A file operation that a policy decides on. */
export function fileCall(operation: FileOperation, path: string, to?: string, shell: Shell = 'strands') {
  return { sandbox: sandbox(shell), kind: 'file', operation, path, to } as const satisfies PolicyCall
}

/** What a policy says of a call. */
export async function verdictOn(policy: Policy, call: PolicyCall): Promise<Verdict> {
  return policy(call, new CallAnalysis(call))
}

/** Whether a policy allows a call. */
export async function allows(policy: Policy, call: PolicyCall): Promise<boolean> {
  return (await verdictOn(policy, call)) === 'allow'
}

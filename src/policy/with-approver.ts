import type { Approver, Policy } from './types.ts'

/** A policy with another approver in place of its own. */
export function withApprover(policy: Policy, approver: Approver): Policy {
  return async (call, analysis) => {
    const verdict = await policy(call, analysis)
    const asks = typeof verdict === 'object' && verdict !== null && 'ask' in verdict
    return asks && typeof verdict.ask === 'function' ? { ...verdict, ask: approver } : verdict
  }
}

import { decide } from './decide.ts'
import type { Policy, PolicyCall } from './types.ts'
import { withApprover } from './with-approver.ts'

/** Whether a policy asks about a call; one that fails does. No approver is called. */
export async function asks(policy: Policy, call: PolicyCall): Promise<boolean> {
  const decision = await decide([withApprover(policy, () => true)], call)
  return decision.allow ? decision.approved : decision.failed === true
}

import type { SandboxSummary } from '../../hosted-sandbox/summary.ts'

/** The places of binds in the sandbox, for a sentence. */
export function listOf(binds: SandboxSummary['binds']): string {
  return binds.map(({ destination }) => destination).join(', ')
}

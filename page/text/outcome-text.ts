import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'

/** How a command has ended, in a word. */
export function outcomeText({ state, exitCode, problem }: OutcomeData): string {
  if (state === 'running') return 'running'
  return problem ?? `exit ${exitCode ?? 0}`
}

/** What an outcome is told of. */
export type OutcomeData = Pick<ExecutionData, 'state' | 'exitCode' | 'problem'>

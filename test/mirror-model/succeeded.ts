import assert from 'node:assert/strict'
import type { CommandOutput, Outcome } from '../../src/contract/shell-api.ts'

/** Asserts that a command ended well, printed nothing and met no conflict. */
export function assertSucceeded(outcome: Outcome<CommandOutput>, command?: string): void {
  assert.ok(outcome.ok, JSON.stringify(outcome))
  const { exitCode, stdout, stderr } = outcome.value
  const { conflicts } = outcome
  assert.deepEqual(
    { exitCode, stdout, stderr, conflicts },
    { exitCode: 0, stdout: '', stderr: '', conflicts: undefined },
    command,
  )
}

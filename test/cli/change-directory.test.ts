import { expect, test } from 'vitest'
import { changeDirectory } from '../../src/cli/sandbox.ts'
import type { ExecutionResult } from '../../src/sandbox/results.ts'

function sandboxWith(end: Partial<ExecutionResult>): Parameters<typeof changeDirectory>[0] {
  const result: ExecutionResult = {
    type: 'executionResult',
    exitCode: 0,
    stdout: '',
    stderr: '',
    outputFiles: [],
    timedOut: false,
    truncated: false,
    durationMs: 1,
    ...end,
  }
  return { execute: () => Promise.resolve(result) }
}

test.each([
  [
    'a status of cd',
    { exitCode: 1 },
    { exitCode: 2, message: '--cwd: there is no directory "/a" in the sandbox.' },
  ],
  ['a policy', { exitCode: 126, stderr: 'cd: denied\n' }, { exitCode: 2, message: '--cwd: cd: denied' }],
  [
    'the time limit',
    { exitCode: 124, timedOut: true },
    { exitCode: 124, message: '--cwd: the sandbox did not get there within its time limit.' },
  ],
])('says that %s kept it out of a directory', async (_, end, error) => {
  await expect(changeDirectory(sandboxWith(end), '/a')).rejects.toMatchObject(error)
})

import { type Interruption, interruptible } from '../../async/interruptible.ts'
import { abortError } from '../../sandbox/abort-error.ts'
import { SandboxTimeoutError } from '../../sandbox/errors.ts'
import type { ExecutionResult } from '../../sandbox/results.ts'
import type { FakeCall, FakeCommand, FakeOutput } from './fake-command.ts'

/** What is asked, and how its answer is found. */
export interface Prepared extends Pick<FakeCall, 'command' | 'words' | 'language'> {
  readonly answer: () => FakeOutput | FakeCommand
}

/** The answer to a call, or the error of a caller that no longer waits: the command is told. */
export async function answerTo(
  call: Omit<FakeCall, 'signal'>,
  answer: Prepared['answer'],
  { seconds, signal }: Pick<Interruption, 'seconds' | 'signal'>,
): Promise<FakeOutput> {
  const over = new AbortController()
  const asked = async () => {
    const answered = answer()
    return typeof answered === 'function' ? answered({ ...call, signal: over.signal }) : answered
  }
  try {
    return await interruptible(asked(), {
      seconds,
      signal,
      onTimeout: () => new SandboxTimeoutError(`The call did not end within its timeout of ${seconds} s.`),
      onAbort: () => abortError(signal),
    })
  } catch (error) {
    over.abort(error)
    throw error
  }
}

/** The result of a command, with what its output does not say. */
export function resultOf(output: FakeOutput, durationMs = 0): ExecutionResult {
  const { stdout = '', stderr = '', exitCode = 0 } = typeof output === 'string' ? { stdout: output } : output
  return {
    type: 'executionResult',
    ...{ exitCode, stdout, stderr, outputFiles: [] },
    ...{ timedOut: false, truncated: false, durationMs },
  }
}

import type { LossData } from '../../../src/contract/errors.ts'

/** Seconds the engine may overrun its deadline before its session counts as lost. */
const GRACE = 2

/**
 * Runs a command and tells when it outlives the engine's own deadline by more than a grace: where mirroring follows a
 * command, the host cannot tell the one from the other.
 *
 * @param timeout - the engine's deadline, in seconds.
 */
export async function watchDeadline<T>(
  run: () => Promise<T>,
  timeout: number,
  lost: (loss: LossData) => void,
): Promise<T> {
  const message = `The engine ignored its deadline of ${timeout} s by more than ${GRACE} s.`
  const timer = setTimeout(() => lost({ code: 'DEADLINE_IGNORED', message }), (timeout + GRACE) * 1000)
  try {
    return await run()
  } finally {
    clearTimeout(timer)
  }
}

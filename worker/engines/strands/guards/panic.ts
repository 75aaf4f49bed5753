import type { LossData } from '../../../../src/contract/errors.ts'

const PANICKED = /worker thread panicked/
const GONE = /worker thread is gone/

/**
 * Recognises a call that failed because the thread of its native shell panicked, at this call or before. The
 * files and variables of the session are gone with it.
 *
 * @returns null for any other error.
 */
export function panicLoss(error: unknown): LossData | null {
  if (!(error instanceof Error)) return null
  if (PANICKED.test(error.message)) {
    return { code: 'ENGINE_PANIC', message: 'the engine panicked while it ran this call' }
  }
  if (GONE.test(error.message)) {
    return { code: 'ENGINE_PANIC', message: 'the engine panicked at an earlier call on this session' }
  }
  return null
}

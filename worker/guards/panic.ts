import type { LossData } from '../../src/contract/errors.ts'

export function panicLoss(error: unknown): LossData | null {
  return error instanceof Error ? { code: 'ENGINE_PANIC', message: error.message } : null
}

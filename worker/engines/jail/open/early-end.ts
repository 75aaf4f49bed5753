import { startFailure } from '../../../service/exhaustion.ts'
import { FarError } from '../../../service/far-error.ts'
import { overlayFailure } from '../overlay/overlay-mounts.ts'
import type { JailProcess } from './jail-process.ts'

/** From this status on `bwrap` tells of a signal that has ended what it runs. */
const OF_SIGNALS = 128

/**
 * Why a jail that has not begun has ended. What `bwrap` refuses is the config's; what a signal or a want of processes has
 * ended says nothing of the config, and is another time different.
 *
 * @param how - how its process has ended
 */
export function earlyEnd({ said, status }: Pick<JailProcess, 'said' | 'status'>, how: string): FarError {
  const message = `The jail could not begin: bubblewrap ${how}. ${said || 'It said nothing.'}`
  const failure = overlayFailure(said) ?? startFailure(how)
  if (failure !== undefined) return failure
  if (status !== undefined && status <= OF_SIGNALS) return new FarError({ code: 'INVALID_CONFIG', message })
  return new FarError({ code: 'WORKER_LOST', message, loss: { code: 'WORKER_EXITED', message } })
}

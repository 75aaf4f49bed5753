import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../real-path.ts'

/** Seconds that processes have to end after SIGTERM; then comes SIGKILL. */
const GRACE = 0.5
/** Seconds to wait for what SIGKILL ends. Zombies that nobody reaps are still there, so that it cannot be long. */
const REAPING = 0.1
const POLL = 0.01

/**
 * Ends every process of a group: SIGTERM, and SIGKILL for those that are left after a grace.
 *
 * @param group - The id of the process that leads it.
 */
export async function endGroup(group: number): Promise<void> {
  try {
    signalGroup(group, 'SIGTERM')
    await gone(group, GRACE)
  } finally {
    signalGroup(group, 'SIGKILL')
  }
  await gone(group, REAPING)
}

/** Ends every process of a group at once. */
export function killGroup(group: number): void {
  signalGroup(group, 'SIGKILL')
}

/** True while a group has a process, be it a zombie. */
export function isGroupThere(group: number): boolean {
  return signalGroup(group, 0)
}

async function gone(group: number, seconds: number): Promise<void> {
  for (let waited = 0; waited < seconds && isGroupThere(group); waited += POLL) await sleep(POLL * 1000)
}

/** False where the group has no process left. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false
    // EPERM: all that is left of it runs as somebody else.
    if (errorCode(error) === 'EPERM') return signal === 0
    throw error
  }
}

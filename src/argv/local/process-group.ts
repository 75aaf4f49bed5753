import { sleep } from '../../async/clock.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { sessionGroups } from './session-groups.ts'

/** Seconds that processes have to end after SIGTERM; then comes SIGKILL. */
const GRACE = 0.5
/** Seconds to wait for what SIGKILL ends. Zombies that nobody reaps are still there, so that it cannot be long. */
const REAPING = 0.1
const POLL = 0.01

/**
 * Ends every process of a group and of the other groups of its session: SIGTERM, and SIGKILL for those that are left
 * after a grace.
 *
 * @param group - The id of the process that leads it, and the session.
 */
export async function endGroup(group: number): Promise<void> {
  const groups = sessionGroups(group)
  try {
    for (const each of groups) signalGroup(each, 'SIGTERM')
    await gone(groups, GRACE)
  } finally {
    killGroup(group)
  }
  await gone(groups, REAPING)
}

/** Ends every process of a group and of the other groups of its session at once. */
export function killGroup(group: number): void {
  for (const each of sessionGroups(group)) signalGroup(each, 'SIGKILL')
}

/** True while a group has a process, be it a zombie. */
export function isGroupThere(group: number): boolean {
  return signalGroup(group, 0)
}

async function gone(groups: readonly number[], seconds: number): Promise<void> {
  for (let waited = 0; waited < seconds && groups.some(isGroupThere); waited += POLL) await sleep(POLL * 1000)
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

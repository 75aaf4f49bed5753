/** How deep shells may run shells. */
export const MAX_DEPTH = 60

let lastPid = 100

/** A number that no other shell of this thread has. */
export function nextPid(): number {
  lastPid += 1
  return lastPid
}

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** When dropped shells are collected: after a moment, in milliseconds, or at once when so many were. */
interface Patience {
  readonly delay: number
  readonly mostDropped: number
}

/** The engine has no `close`: a shell's memory and thread go when its object is collected. */
const alone: Patience = { delay: 100, mostDropped: 8 }
/** A collection makes every session of the thread wait, for some milliseconds. */
const amongNeighbours: Patience = { delay: 300, mostDropped: 32 }

let dropped = 0
let timer: NodeJS.Timeout | undefined
let collect: (() => void) | undefined

/**
 * Says that a shell was let go: it is collected soon.
 *
 * @param neighbours - how many other sessions the thread serves.
 */
export function shellDropped(neighbours: number): void {
  const { delay, mostDropped } = neighbours === 0 ? alone : amongNeighbours
  dropped += 1
  if (dropped >= mostDropped) collectNow()
  else timer ??= setTimeout(collectNow, delay).unref()
}

function collectNow(): void {
  clearTimeout(timer)
  timer = undefined
  collect ??= findCollector()
  if (collect === undefined) {
    timer = setTimeout(collectNow, alone.delay).unref()
    return
  }
  dropped = 0
  collect()
}

/**
 * Node offers no collection on demand without a flag, so the flag is set for as long as it takes to get hold of it.
 * Flags are the process's: another thread may unset it in between, and there is no collector this time.
 */
function findCollector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc')
  const gc: (() => void) | undefined = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return gc
}

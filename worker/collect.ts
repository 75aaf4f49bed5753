import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The engine has no `close`: a shell's memory and thread go when its object is collected. */
const idleDelay = 100
const mostDropped = 8

let dropped = 0
let timer: NodeJS.Timeout | undefined
let collect: (() => void) | undefined

/** Says that a shell was let go: it is collected after a moment's rest, or at once when many were. */
export function shellDropped(): void {
  dropped += 1
  if (dropped >= mostDropped) collectNow()
  else timer ??= setTimeout(collectNow, idleDelay).unref()
}

function collectNow(): void {
  clearTimeout(timer)
  timer = undefined
  collect ??= findCollector()
  if (collect === undefined) {
    timer = setTimeout(collectNow, idleDelay).unref()
    return
  }
  dropped = 0
  collect()
}

/**
 * Node offers no collection on demand without a flag, so the flag is set for as long as it takes to get hold of it. It
 * is the process's: another thread that does the same may take it back too soon, and there is no collector then.
 */
function findCollector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc')
  const gc: (() => void) | undefined = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return gc
}

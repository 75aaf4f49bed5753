/** When dropped shells are collected: after a moment, in milliseconds, or at once when so many were. */
interface Patience {
  readonly delay: number
  readonly mostDropped: number
}

/** The engine has no `close`: a shell's memory and thread go when its object is collected. */
const alone: Patience = { delay: 100, mostDropped: 8 }
/** A collection makes every session of the thread wait, for some milliseconds. */
const amongNeighbours: Patience = { delay: 300, mostDropped: 32 }

/** Shells of this thread that were built and not let go. */
let held = 0
let dropped = 0
let timer: NodeJS.Timeout | undefined
let immediate: NodeJS.Immediate | undefined
let collect: (() => void) | undefined

/** Says that a shell was built, which {@link shellDropped} will be told of. */
export function shellBuilt(): void {
  held += 1
}

/** Says that a shell was let go: it is collected soon. */
export function shellDropped(): void {
  held -= 1
  const { delay, mostDropped } = held === 0 ? alone : amongNeighbours
  dropped += 1
  // Not before those who let this one go have returned.
  if (dropped >= mostDropped) immediate ??= setImmediate(collectNow)
  else timer ??= setTimeout(collectNow, delay).unref()
}

function collectNow(): void {
  clearTimeout(timer)
  clearImmediate(immediate)
  timer = undefined
  immediate = undefined
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
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  setFlagsFromString('--expose-gc')
  const gc: (() => void) | undefined = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return gc
}

import { type Usage, usageOf } from './processes.ts'

/** A jail that is looked at. */
interface Watched {
  readonly pid: number
  readonly bounds: Usage
  readonly exceeded: (found: Usage) => void
}

/** Milliseconds between two looks. */
const INTERVAL = 200

const watched = new Set<Watched>()
let timer: NodeJS.Timeout | undefined

/**
 * Looks again and again at the processes of a jail, and tells once when they have more than they may. One timer serves all jails of
 * a thread, and keeps none alive.
 *
 * @returns ends the watch
 */
export function watchProcesses(one: Watched): () => void {
  watched.add(one)
  timer ??= setInterval(lookAtAll, INTERVAL).unref()
  return () => forget(one)
}

function lookAtAll(): void {
  for (const one of watched) {
    const found = usageOf(one.pid, one.bounds.processes)
    if (found.processes <= one.bounds.processes && found.memory <= one.bounds.memory) continue
    forget(one)
    one.exceeded(found)
  }
}

function forget(one: Watched): void {
  watched.delete(one)
  if (watched.size > 0) return
  clearInterval(timer)
  timer = undefined
}

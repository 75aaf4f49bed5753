import type { LeaseLane, ThreadPipes } from '../../src/contract/lease.ts'
import { loadFile } from './load-file.ts'
import type { ThreadPipe } from './thread-pipe.ts'

const file = './thread-pipe.cjs'

/** Null where it has none. */
let ofThread: ThreadPipe | null | undefined

/** The pipe of this thread, which it takes with its first lease in a cell; undefined where none is left, and outside cells. */
export function pipeOfThread(lane: LeaseLane | undefined): ThreadPipe | undefined {
  if (lane !== undefined && ofThread === undefined) ofThread = take(lane.pipes)
  return lane && (ofThread ?? undefined)
}

function take({ count, taken }: ThreadPipes): ThreadPipe | null {
  const Pipe = load()
  if (Pipe === undefined) return null
  const number = Atomics.add(new Int32Array(taken), 0, 1)
  return number < count ? new Pipe(number) : null
}

function load(): typeof ThreadPipe | undefined {
  try {
    return (loadFile(file) as typeof import('./thread-pipe.ts')).ThreadPipe
  } catch {
    return undefined // A copy of the worker entry without this file: its leases are served on their ports.
  }
}

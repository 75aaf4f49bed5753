import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A full garbage collection of this thread. Flags are the process's: a worker may unset this one in between. */
export function garbageCollector(): () => void {
  for (;;) {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('globalThis.gc')
    if (typeof collect === 'function') return () => Reflect.apply(collect, undefined, [])
  }
}

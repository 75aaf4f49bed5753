import { linkSync } from 'node:fs'
import { systemCode } from '../service/system-code.ts'

import { AGAIN } from './keep.ts'
import { claimName } from './names.ts'
import type { Occupant, Place } from './place.ts'
import { cannotLink, removeTemporary } from './temporary.ts'

/** Milliseconds after which a claim is one that a process left as it ended: a claim takes a few system calls. */
const STALE = 500
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Claims the version of a file that was found at a place, to replace or remove it: of all writers of this package, also
 * those of other processes, one at a time has the claim. It is a second name of the file, made of its number. Where there
 * are no hard links, nothing is claimed. What is at the place has to be looked at again after it.
 */
export function claim(place: Place, found: Occupant): Disposable | typeof AGAIN {
  const path = place.anchor.at(claimName(found.entry.inode))
  for (let waited = 0; ; waited++) {
    try {
      linkSync(place.path, path)
      return { [Symbol.dispose]: () => removeTemporary(path) }
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOENT') return AGAIN
      if (cannotLink(error)) return { [Symbol.dispose]: () => undefined }
      if (code !== 'EEXIST') throw error
    }
    if (!place.stillHas(found)) return AGAIN
    if (waited < STALE) Atomics.wait(pause, 0, 0, 1)
    else removeTemporary(path)
  }
}

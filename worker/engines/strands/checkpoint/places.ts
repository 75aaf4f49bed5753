import { OPEN_DIRECTORIES } from '../../../../src/contract/engine-directories.ts'
import { prefixOf } from '../../../host-files/paths.ts'

/** What the engine and the runtime have for themselves. */
const OWN = ['/bin', '/dev', '/usr/bin']

/** What the engine of a session has bound. */
export interface Bound {
  readonly bindDestinations: readonly string[]
  /** Those of them that the session's own files are in. */
  readonly places: ReadonlySet<string>
}

/** Which paths of a session a checkpoint has. */
export class CheckpointPlaces {
  /** Destinations of binds: what is in them is not the session's alone. */
  readonly binds: readonly string[]
  /** Directories that are there as long as the session, and those that lead to them, below the root. */
  readonly directories: readonly string[]
  readonly #roots: readonly string[]

  constructor({ bindDestinations, places }: Bound) {
    const isOwn = (path: string) => OWN.some((own) => isIn(path, own))
    this.binds = bindDestinations.filter((path) => !places.has(path) && !isOwn(path))
    this.#roots = [...OPEN_DIRECTORIES, ...places]
    this.directories = [...new Set(this.#roots.flatMap(withParents))]
  }

  /** Whether a path is one of the session's own. */
  holds(path: string): boolean {
    return this.#roots.some((root) => isIn(path, root)) && !this.binds.some((bind) => isIn(path, bind))
  }

  /** Whether a path is there as long as the session. */
  isRoot(path: string): boolean {
    return this.#roots.includes(path)
  }

  /** Whether something below a directory can be the session's own. */
  leadsTo(path: string): boolean {
    return this.#roots.some((root) => isIn(root, path))
  }
}

/** `/a/b` as `a` and `a/b`. */
function withParents(path: string): string[] {
  const names = path.split('/').slice(1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

function isIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(prefixOf(directory))
}

import { importModule } from '../../../service/code/import-module.ts'

/** Where just-bash 3.4.2 gathers the output of a script's statements. */
interface Gathered {
  readonly stdoutChunks: readonly string[]
  readonly stderrChunks: readonly string[]
}

type Append = (this: Gathered, ...args: readonly unknown[]) => unknown

/** The file of its bundle that holds the class, and the name under which it exports it. */
const MODULE = 'chunks/chunk-J2OBOJ64.js'
const EXPORT = 'a'

let last: Gathered | undefined
const watched = new WeakSet<object>()

/**
 * What was gathered last in this thread. Right after a statement has ended, and before the next begins, that is the output of
 * the list that the statement stands in.
 */
export function gatheredLast(): Gathered | undefined {
  return last
}

/**
 * Has just-bash note where it gathers output. A contract test holds it to this shape.
 *
 * @param url - of the ES module of just-bash.
 * @returns false where this is another version: then output is known at the end only
 */
export async function watchStatements(url: string): Promise<boolean> {
  const prototype = await prototypeOf(new URL(MODULE, url).href)
  if (prototype === undefined) return false
  if (watched.has(prototype)) return true
  const append: unknown = Reflect.get(prototype, 'append')
  if (typeof append !== 'function') return false
  const noting: Append = function (...args) {
    const result = Reflect.apply(append, this, args)
    last = this
    return result
  }
  Reflect.set(prototype, 'append', noting)
  watched.add(prototype)
  return true
}

async function prototypeOf(url: string): Promise<object | undefined> {
  try {
    const module: unknown = await importModule(url)
    const found: unknown =
      typeof module === 'object' && module !== null ? Reflect.get(module, EXPORT) : undefined
    return typeof found === 'function' && typeof found.prototype === 'object' ? found.prototype : undefined
  } catch {
    return undefined // Another version has no such file.
  }
}

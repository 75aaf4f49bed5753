import { lstat, readlink, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { JailMount } from '../../../bubblewrap/plan.ts'

/** Links in a row at which a path is given up, as the kernel does. */
const mostLinks = 40

type Bind = Extract<JailMount, { readonly kind: 'bind' }>

/** Files of the host that a jail shows at their own paths. A path with links leads to the same file as outside. */
export class JailFiles {
  readonly #links = new Map<string, JailMount>()
  readonly #binds = new Map<string, Bind>()

  /** @param base - what it shows at first. */
  constructor(base?: JailFiles) {
    if (base === undefined) return
    for (const [path, link] of base.#links) this.#links.set(path, link)
    for (const [path, bind] of base.#binds) this.#binds.set(path, bind)
  }

  /**
   * Shows a file or directory, read only unless it is `writable`; with `directoryOf` all of the directory that it is in. A path
   * that leads nowhere is left out.
   * @returns its path without links; undefined where it leads nowhere
   */
  async add(path: string, { writable = false, directoryOf = false } = {}): Promise<string | undefined> {
    const real = await realPathOf(path)
    if (real === undefined) return undefined
    if (real !== path) await this.#addLinks(resolve(path))
    const source = directoryOf ? dirname(real) : real
    const known = this.#binds.get(source)
    // What has gone since is left out, too.
    this.#binds.set(source, {
      kind: 'bind',
      source,
      destination: source,
      optional: true,
      writable: writable || known?.writable === true,
    })
    return real
  }

  /** Whether it shows all of a directory that has this real path. */
  has(path: string): boolean {
    return this.#binds.has(path)
  }

  /** Links first: what is mounted over the directory of one has it anyway. Then directories before those in them. */
  mounts(): JailMount[] {
    const binds = [...this.#binds.values()].filter((bind) => !this.#isShown(bind))
    return [...this.#links.values(), ...binds.sort((a, b) => depth(a.source) - depth(b.source))]
  }

  /** Whether it is in a directory that is shown, with the same right to write. */
  #isShown({ source, writable }: Bind): boolean {
    for (let at = source; at !== dirname(at); ) {
      at = dirname(at)
      const outer = this.#binds.get(at)
      if (outer !== undefined) return outer.writable === writable
    }
    return false
  }

  /** Adds each link on the way. */
  async #addLinks(path: string): Promise<void> {
    let real = '/'
    let rest = path.split('/').filter((name) => name !== '')
    for (let links = 0; rest.length > 0; ) {
      const [name = '', ...after] = rest
      const next = join(real, name)
      try {
        if ((await lstat(next)).isSymbolicLink()) {
          const target = await readlink(next)
          this.#links.set(next, { kind: 'symlink', target, destination: next })
          rest = [
            ...resolve(real, target)
              .split('/')
              .filter((each) => each !== ''),
            ...after,
          ]
          real = '/'
          if (++links > mostLinks) return
          continue
        }
      } catch {
        return // It leads nowhere any more.
      }
      real = next
      rest = after
    }
  }
}

/** Undefined where it leads nowhere, or not for this user. */
async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch {
    return undefined
  }
}

/** How many directories a path has above it. */
function depth(path: string): number {
  return path === dirname(path) ? 0 : path.split('/').length - 1
}

import { FileError } from './file-error.ts'
import type { Node, Volume } from './volume.ts'
import { MAX_LINKS } from './written-path.ts'

/** A volume and its place in the namespace. */
export interface Mount {
  /** Absolute, in its one form. */
  readonly path: string
  readonly volume: Volume
}

/** Where a path leads: a volume's path that has no links but perhaps the last. */
export interface Spot {
  readonly volume: Volume
  readonly rel: string
  /** The same path in the namespace, absolute. */
  readonly path: string
  readonly node: Node | undefined
  /** A directory that leads to it is missing. */
  readonly isParentMissing: boolean
}

/** A directory that exists because a volume is mounted below it. */
const WAY: Node = { kind: 'directory', mode: 0o755, size: 0, modified: new Date(0) }

/** One tree of paths over a base volume at `/` and others that are mounted in it. Links lead from any of them to any other. */
export class Namespace {
  readonly #mounts: readonly Mount[]
  readonly #base: Volume

  constructor(base: Volume, mounts: readonly Mount[]) {
    this.#base = base
    this.#mounts = [...mounts].sort((a, b) => b.path.length - a.path.length)
  }

  /**
   * Follows a path, component by component.
   *
   * @param follow - whether to follow a link that is the last component.
   * @throws FileError `ENOTDIR` or `ELOOP`
   */
  async walk(path: string, follow: boolean): Promise<Spot> {
    const parts = partsOf(path)
    const direct = await this.#lookThrough(parts)
    if (direct !== undefined && (direct.node?.target === undefined || !follow)) return direct
    const rest = parts.reverse()
    let current = ''
    let links = 0
    let found = rest.length === 0 ? await this.#look('') : undefined
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      if (name === '..') {
        current = current.slice(0, Math.max(0, current.lastIndexOf('/')))
        found = await this.#look(current)
        continue
      }
      const next = `${current}/${name}`
      found = await this.#look(next)
      if (found === undefined) {
        const below = [next, ...rest.reverse()].join('/')
        return { ...this.#locate(below), path: below, node: undefined, isParentMissing: rest.length > 0 }
      }
      if (found.target !== undefined && (rest.length > 0 || follow)) {
        links += 1
        if (links > MAX_LINKS) throw new FileError('ELOOP', 'open', path)
        if (found.target.startsWith('/')) current = ''
        rest.push(...partsOf(found.target).reverse())
        if (rest.length === 0) found = await this.#look(current)
        continue
      }
      if (found.kind !== 'directory' && rest.length > 0) throw new FileError('ENOTDIR', 'open', path)
      current = next
    }
    return {
      ...this.#locate(current),
      path: current === '' ? '/' : current,
      node: found,
      isParentMissing: false,
    }
  }

  /** Names in a directory that are there because volumes are mounted below it. */
  ways(path: string): string[] {
    const prefix = path === '/' ? '/' : `${path}/`
    const names = this.#mounts.flatMap((mount) =>
      mount.path.startsWith(prefix) ? [mount.path.slice(prefix.length).split('/')[0] ?? ''] : [],
    )
    return [...new Set(names)]
  }

  /** Whether a volume is mounted at a path or below it: such a path is neither moved nor removed. */
  isBusy(path: string): boolean {
    return this.#mounts.some((mount) => mount.path === path) || this.ways(path).length > 0
  }

  /** Where a path leads, if a volume finds that at once. What is above a mount is always a directory. */
  async #lookThrough(parts: readonly string[]): Promise<Spot | undefined> {
    if (parts.includes('..')) return undefined
    const path = `/${parts.join('/')}`
    const { volume, rel } = this.#locate(path)
    const node = await volume.lookThrough?.(rel)
    if (node === undefined || (node.kind !== 'directory' && this.ways(path).length > 0)) return undefined
    return { volume, rel, path, node, isParentMissing: false }
  }

  async #look(path: string): Promise<Node | undefined> {
    const { volume, rel } = this.#locate(path)
    const found = await volume.look(rel)
    return found?.kind !== 'directory' && this.ways(path === '' ? '/' : path).length > 0 ? WAY : found
  }

  #locate(path: string): { volume: Volume; rel: string } {
    for (const mount of this.#mounts) {
      if (path === mount.path) return { volume: mount.volume, rel: '' }
      if (path.startsWith(`${mount.path}/`))
        return { volume: mount.volume, rel: path.slice(mount.path.length + 1) }
    }
    return { volume: this.#base, rel: path.slice(1) }
  }
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.')

import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { HostEntry, Skipped } from '../../../worker/host-files/types.ts'
import { isFull } from '../../support/tier.ts'

const TMPFS_MAGIC = 0x0102_1994

/** The file systems to test on: that of the temporary directory, and in the full tier a tmpfs where there is one. */
export const fileSystems = [
  { fs: 'the temporary directory', parent: realpathSync(tmpdir()) },
  ...(isFull && hasTmpfs() ? [{ fs: 'tmpfs', parent: '/dev/shm' }] : []),
]

/** What of a bind the host replaces by a link to a place outside: all in the full tier. */
export const swaps: readonly {
  readonly what: string
  readonly rel: string
  readonly outside: readonly string[]
}[] = [
  { what: 'the directory', rel: 'a/d', outside: ['outside'] },
  { what: 'the file', rel: 'a/d/f', outside: ['outside', 'f'] },
  ...(isFull
    ? [
        { what: 'a parent', rel: 'a', outside: ['outside'] },
        { what: 'the root', rel: '', outside: ['outside'] },
      ]
    : []),
]

function hasTmpfs(): boolean {
  try {
    return statfsSync('/dev/shm').type === TMPFS_MAGIC
  } catch {
    return false // No such directory here.
  }
}

/** A directory with a bind's source, `bind`, and a place that no operation may touch, `outside`. */
export class Scratch implements Disposable {
  readonly root: string
  readonly bind: string
  readonly outside: string

  constructor(parent: string) {
    this.root = mkdtempSync(`${parent}/host-test-`)
    this.bind = `${this.root}/bind`
    this.outside = `${this.root}/outside`
    mkdirSync(this.bind)
    mkdirSync(this.outside)
  }

  /** The absolute path of `rel` in the bind. */
  at(rel: string): string {
    return rel === '' ? this.bind : `${this.bind}/${rel}`
  }

  /** Writes a file of the bind, with its directories. */
  file(rel: string, content = rel): string {
    mkdirSync(dirname(this.at(rel)), { recursive: true })
    writeFileSync(this.at(rel), content)
    return this.at(rel)
  }

  link(rel: string, target: string): void {
    symlinkSync(target, this.at(rel))
  }

  read(rel: string): string {
    return readFileSync(this.at(rel), 'utf8')
  }

  /** Everything below the bind: the text of files, `->` the text of links, `/` for directories. */
  contents(): Record<string, string> {
    return contentsOf(this.bind)
  }

  [Symbol.dispose](): void {
    try {
      rmSync(this.root, { recursive: true, force: true })
    } catch {
      execFileSync('rm', ['-rf', this.root]) // Node's own removal gives up where a path is too long for one call.
    }
  }
}

/** A bind with `a/d/{f,empty,l}` and an `outside` that looks the same, whose files hold a secret. */
export class RaceScratch extends Scratch {
  static readonly secret = 'a secret outside'

  constructor(parent: string) {
    super(parent)
    this.file('a/d/f', 'old')
    this.link('a/d/l', 'f')
    mkdirSync(this.at('a/d/empty'))
    for (const directory of [this.outside, `${this.outside}/d`]) {
      mkdirSync(`${directory}/empty`, { recursive: true })
      writeFileSync(`${directory}/f`, RaceScratch.secret)
      writeFileSync(`${directory}/secret`, RaceScratch.secret)
      symlinkSync('f', `${directory}/l`)
    }
  }

  /** Makes a link to `target` of what is at `rel`; whatever was there is moved beside. */
  swap(rel: string, target: string): void {
    renameSync(this.at(rel), `${this.at(rel)}.moved`)
    symlinkSync(target, this.at(rel))
  }
}

export function contentsOf(directory: string): Record<string, string> {
  const contents: Record<string, string> = {}
  for (const rel of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const stats = lstatSync(`${directory}/${rel}`)
    if (stats.isSymbolicLink()) contents[rel] = `-> ${readlinkSync(`${directory}/${rel}`)}`
    else contents[rel] = stats.isFile() ? readFileSync(`${directory}/${rel}`, 'utf8') : '/'
  }
  return contents
}

/** All that can be seen of a directory without reading its files. */
export function traceOf(directory: string): unknown {
  const trace = (path: string) => {
    const { ino, mode, size, mtimeNs, ctimeNs, nlink } = lstatSync(path, { bigint: true })
    return [path, ino, mode, size, mtimeNs, ctimeNs, nlink]
  }
  return [
    trace(directory),
    ...readdirSync(directory)
      .sort()
      .map((name) => trace(`${directory}/${name}`)),
  ]
}

/** How many descriptors of files this process has open. Those of other threads are no files. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').filter((fd) => pathOf(fd)?.startsWith('/')).length
}

/** Undefined where it has been closed meanwhile. */
function pathOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined // By a thread that ends: the test itself runs alone.
  }
}

/** Asserts that a look found an entry. */
export function entryOf(found: HostEntry | Skipped | undefined): HostEntry {
  if (found === undefined || 'reason' in found) throw new Error(`expected an entry, got ${found?.reason}`)
  return found
}

/** Permission bits, in octal. */
export function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o7777).toString(8)
}

import { dirname, join } from 'node:path'
import { digestOf, isDigest } from '../digest.ts'
import { refuseSnapshot } from '../refuse.ts'
import { Turns } from '../turns.ts'
import { eachOf, makeFolder, namesIn, putFile, readBytes, syncFolder, touch } from './files.ts'

/** Bytes by digest. */
export type Contents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** The bytes of all snapshots of a store, each once, in files that are named by their digests. */
export class ContentFiles {
  readonly #root: string
  readonly #temporary: string
  /** Where files are that are about to be removed. */
  readonly trash: string

  constructor(root: string, temporary: string) {
    this.#root = join(root, 'contents')
    this.#temporary = temporary
    this.trash = join(root, 'trash')
  }

  /** The folders that it needs. */
  get folders(): readonly string[] {
    return [this.#root, this.trash]
  }

  pathOf(digest: string): string {
    return join(this.#root, digest.slice(0, 2), digest)
  }

  /**
   * Has the files there, and marks each as used now: one that is marked or new is not removed by who collects what no snapshot
   * names. Call it before the snapshot is in the store, and again after.
   */
  async keep(contents: Contents): Promise<void> {
    const folders = new Set<string>()
    await eachOf(contents, async ([digest, bytes]) => {
      const path = this.pathOf(digest)
      if (await touch(path, bytes.length)) return
      const folder = dirname(path)
      await makeFolder(folder)
      await putFile(this.#temporary, path, [bytes])
      folders.add(folder)
    })
    await eachOf(folders, syncFolder)
    if (folders.size > 0) await syncFolder(this.#root)
  }

  /**
   * The bytes of these digests; undefined where one is missing.
   *
   * @throws SnapshotError where a file holds other bytes, or all of them are more than `most`
   */
  async read(digests: Iterable<string>, most: number): Promise<Contents | undefined> {
    const contents = new Map<string, Uint8Array<ArrayBuffer>>()
    const turns = new Turns()
    let left = most
    let isWhole = true
    await eachOf(digests, async (digest) => {
      if (!isWhole) return
      const bytes = await this.#find(digest, left)
      if (bytes === undefined) {
        isWhole = false
        return
      }
      left -= bytes.length
      if (left < 0)
        throw refuseSnapshot('too-large', `has more than ${most} bytes (limits.maxUnpackedBytes).`)
      if ((await digestOf(bytes, turns)) !== digest)
        throw refuseSnapshot('malformed', `has other bytes than those of the content ${digest}.`)
      contents.set(digest, bytes)
    })
    return isWhole ? contents : undefined
  }

  /** The digests of all files. */
  async *digests(): AsyncGenerator<string> {
    for (const folder of await namesIn(this.#root))
      for (const name of await namesIn(join(this.#root, folder))) if (isDigest(name)) yield name
  }

  /** A file that is about to be removed may come back. */
  async #find(digest: string, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const path = this.pathOf(digest)
    return (
      (await readBytes(path, most)) ??
      (await readBytes(join(this.trash, digest), most)) ??
      (await readBytes(path, most))
    )
  }
}

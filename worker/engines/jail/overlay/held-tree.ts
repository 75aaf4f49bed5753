import { type BigIntStats, closeSync, lstatSync, readlinkSync } from 'node:fs'
import { readSettled } from '../../../host-files/bytes.ts'
import { descriptorPath, openDirectory } from '../../../host-files/descriptors.ts'
import { readNames } from '../../../host-files/directory-names.ts'
import { HostFileError, isAbsence } from '../../../host-files/errors.ts'
import { nameOf } from '../../../host-files/names.ts'
import { parentOf } from '../../../host-files/paths.ts'
import { systemCode } from '../../../service/system-code.ts'

/**
 * A directory of a mount namespace of another process, held open: it lasts as long as this, also when that process has ended.
 * Paths are followed name by name, and no link is: the sandbox made what is there.
 */
export class HeldTree {
  readonly #root: number

  /** @param path - through `/proc/PID/root`. @throws the system's error where there is no such directory. */
  constructor(path: string) {
    this.#root = openDirectory(path)
  }

  /** The names in a directory; undefined where there is no such directory, or it cannot be listed. */
  names(rel: string): readonly string[] | undefined {
    return this.#in(rel, (directory) => readNames(directory, rel).names)
  }

  /** What is at a path; undefined where nothing is. */
  look(rel: string): BigIntStats | undefined {
    if (rel === '') return lstatSync(`${pathOf(this.#root)}/.`, { bigint: true })
    return this.#in(parentOf(rel), (directory) =>
      lstatSync(`${directory}/${nameOf(rel)}`, { bigint: true, throwIfNoEntry: false }),
    )
  }

  /** The text of a link, undefined where it is gone or is not UTF-8. */
  target(rel: string): string | undefined {
    const bytes = this.#in(parentOf(rel), (directory) =>
      readlinkSync(`${directory}/${nameOf(rel)}`, 'buffer'),
    )
    const text = bytes?.toString()
    return text !== undefined && bytes?.equals(Buffer.from(text)) ? text : undefined
  }

  /** The bytes of a file. @throws {HostFileError} where there is none, it cannot be read, or it changes without a pause. */
  read(rel: string): Uint8Array {
    const file = this.#in(parentOf(rel), (directory) => readSettled(`${directory}/${nameOf(rel)}`))
    if (file === undefined || file === 'changed') throw new HostFileError('ESTALE')
    if (file === 'unreadable') throw new HostFileError('EACCES')
    return file.bytes
  }

  /** To be called once. */
  close(): void {
    closeSync(this.#root)
  }

  #in<T>(rel: string, act: (directory: string) => T): T | undefined {
    const opened: number[] = []
    try {
      let directory = pathOf(this.#root)
      for (const name of rel === '' ? [] : rel.split('/')) {
        const next = openDirectory(`${directory}/${name}`)
        opened.push(next)
        directory = pathOf(next)
        if (opened.length > 1) closeSync(opened.shift() ?? next)
      }
      return act(directory)
    } catch (error) {
      if (isAbsence(error) || systemCode(error) === 'EACCES' || systemCode(error) === 'EINVAL')
        return undefined
      throw error
    } finally {
      for (const descriptor of opened) closeSync(descriptor)
    }
  }
}

/** Overlays exist on Linux alone, where open files have paths. */
function pathOf(descriptor: number): string {
  return descriptorPath(descriptor) ?? `/dev/fd/${descriptor}`
}

import { closeSync, existsSync, openSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BindRecord } from '../../../src/contract/shell-record.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

/** Where empty sources are found. */
export interface EmptyPlaces {
  /** The directory in which this process's open descriptors have names. */
  readonly descriptors?: string
  /** An empty file that stays. */
  readonly emptyFile?: string
}

interface Source extends Disposable {
  readonly path: string
}

/**
 * An empty directory and an empty file of the host: the engine binds them as empty places. Each is made when it is asked
 * for. The directory has no name, and the file belongs to the package: nothing of them is left, whatever ends this process.
 */
export class EmptySources implements Disposable {
  readonly #places: Required<EmptyPlaces>
  #directory: Source | undefined
  #file: Source | undefined

  constructor({
    descriptors = '/proc/self/fd',
    emptyFile = join(__dirname, 'empty-file'),
  }: EmptyPlaces = {}) {
    this.#places = { descriptors, emptyFile }
  }

  get directory(): string {
    this.#directory ??= emptyDirectory(this.#places.descriptors)
    return this.#directory.path
  }

  get file(): string {
    this.#file ??= emptyFile(this.#places.emptyFile)
    return this.#file.path
  }

  [Symbol.dispose](): void {
    this.#directory?.[Symbol.dispose]()
    this.#file?.[Symbol.dispose]()
  }
}

/** A directory that was removed and is still open. Where this process cannot name it, one that keeps its name until the end. */
function emptyDirectory(descriptors: string): Source {
  const home = temporaryDirectory()
  const fd = openSync(home, 'r')
  // At once: it would stay if the process were killed before.
  rmdirSync(home)
  // The engine takes a link at the end of a path for a link, and follows one inside of it.
  const path = `${descriptors}/${fd}/.`
  if (existsSync(path)) return { path, [Symbol.dispose]: () => closeSync(fd) }
  closeSync(fd)
  const named = temporaryDirectory()
  return { path: named, [Symbol.dispose]: () => rmdirSync(named) }
}

function emptyFile(stays: string): Source {
  if (existsSync(stays)) return { path: stays, [Symbol.dispose]: () => undefined }
  const home = temporaryDirectory()
  const path = join(home, 'file')
  writeFileSync(path, '')
  return { path, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) }
}

function temporaryDirectory(): string {
  return makeTemporaryDirectory('strands-shell-empty-')
}

/** A bind of an empty source: a place of the engine that can be written. */
export function copyBind(source: string, destination: string): BindRecord {
  return { source, destination, mode: 'copy', readonly: false }
}

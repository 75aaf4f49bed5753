import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BindRecord } from '../../../src/contract/shell-record.ts'

/** An empty directory and an empty file of the host: the engine binds them as empty places. Each is made when it is asked for. */
export class EmptySources implements Disposable {
  #directory: string | undefined
  #fileHome: string | undefined

  get directory(): string {
    this.#directory ??= emptyDirectory()
    return this.#directory
  }

  get file(): string {
    if (this.#fileHome === undefined) {
      this.#fileHome = emptyDirectory()
      writeFileSync(join(this.#fileHome, 'file'), '')
    }
    return join(this.#fileHome, 'file')
  }

  [Symbol.dispose](): void {
    // A recursive removal takes many times as long.
    if (this.#directory !== undefined) rmdirSync(this.#directory)
    if (this.#fileHome !== undefined) rmSync(this.#fileHome, { recursive: true, force: true })
  }
}

/** For this user alone: nobody else can put anything in. */
function emptyDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'strands-shell-empty-'))
}

/** A bind of an empty source: a place of the engine that can be written. */
export function copyBind(source: string, destination: string): BindRecord {
  return { source, destination, mode: 'copy', readonly: false }
}

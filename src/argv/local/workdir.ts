import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SandboxIoError } from '../../sandbox/errors.ts'
import { atExit } from './exit-hook.ts'

/** The directory of a local sandbox, made at its first use. */
export class Workdir {
  readonly #given: string | undefined
  readonly #cleanup: boolean
  #path: string | undefined
  #disarm: (() => void) | undefined

  constructor(given: string | undefined, cleanup: boolean) {
    this.#given = given === undefined ? undefined : resolve(given)
    this.#cleanup = cleanup
  }

  /**
   * Its real path.
   *
   * @throws SandboxIoError where it cannot be made
   */
  get path(): string {
    this.#path ??= this.#make()
    return this.#path
  }

  /**
   * Makes it again where somebody removed it.
   *
   * @throws SandboxIoError where it is no directory that programs can run in
   */
  ensure(): string {
    const path = this.path
    guard(path, () => {
      mkdirSync(path, { recursive: true })
      accessSync(path, constants.X_OK)
    })
    return path
  }

  /** True while it is a directory. */
  isThere(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  /** Removes it, where that was asked for. A directory that was never made is not. */
  remove(): void {
    this.#disarm?.()
    this.#disarm = undefined
    if (this.#path !== undefined && this.#cleanup) rmSync(this.#path, { recursive: true, force: true })
  }

  #make(): string {
    const given = this.#given
    const path = guard(given ?? tmpdir(), () => {
      if (given === undefined) return realpathSync(mkdtempSync(join(tmpdir(), 'argv-sandbox-')))
      mkdirSync(given, { recursive: true })
      return realpathSync(given)
    })
    if (this.#cleanup) this.#disarm = atExit(() => rmSync(path, { recursive: true, force: true }))
    return path
  }
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new SandboxIoError(`The workdir ${path} cannot be used: ${String(cause)}`, { path, cause })
  }
}

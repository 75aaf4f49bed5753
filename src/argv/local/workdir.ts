import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { errorCode } from '../../sandbox/error-code.ts'
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

  /** True once it was made. */
  get isMade(): boolean {
    return this.#path !== undefined
  }

  /**
   * Makes it again where somebody removed it.
   *
   * @throws SandboxIoError where it is no directory that programs can run in
   */
  ensure(): string {
    const path = this.path
    guard(path, () => {
      mkdirSync(path, { recursive: true, mode: this.#given === undefined ? 0o700 : 0o777 })
      accessSync(path, constants.X_OK)
      const real = realpathSync(path)
      if (real !== path) throw new Error(`a link to ${real} took its place`)
    })
    return path
  }

  /** True while it is a directory. */
  isThere(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  /**
   * Removes it, where that was asked for. A directory that was never made is not.
   *
   * @throws SandboxIoError where it cannot be removed; the end of the process tries again
   */
  remove(): void {
    const path = this.#path
    if (path !== undefined && this.#cleanup) guard(path, () => removeTree(path))
    this.#disarm?.()
    this.#disarm = undefined
  }

  #make(): string {
    const given = this.#given
    const path = guard(given ?? tmpdir(), () => {
      if (given === undefined) return realpathSync(mkdtempSync(join(tmpdir(), 'argv-sandbox-')))
      mkdirSync(given, { recursive: true })
      return realpathSync(given)
    })
    if (this.#cleanup) this.#disarm = atExit(() => removeTree(path))
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

/** A process that was just killed may write its last while its directory goes. */
function removeTree(path: string): void {
  for (let triesLeft = 10; ; triesLeft--) {
    try {
      rmSync(path, { recursive: true, force: true })
      return
    } catch (error) {
      if (triesLeft === 0 || errorCode(error) !== 'ENOTEMPTY') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

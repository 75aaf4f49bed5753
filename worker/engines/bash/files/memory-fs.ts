import type { IFileSystem, JustBash } from '../just-bash.ts'
import type { Protection } from '../rules/protection.ts'

/** What new files do not get, and the devices that have no end. */
export interface SandboxFs extends IFileSystem {
  umask: number
  /** Input without end was cut since the last `head` that had enough. */
  endlessCut: boolean
}

/** Files in memory, and the part of their bound that others use. */
export interface MemoryFs
  extends SandboxFs,
    Pick<InstanceType<JustBash['InMemoryFs']>, 'mkdirSync' | 'writeFileSync' | 'writeFileLazy'> {
  /**
   * Takes bytes of `maxFileSystem` for files that are kept elsewhere, or gives them back (negative).
   *
   * @throws Error `ENOSPC` where so many are not left
   */
  reserve(bytes: number): void
  /** What cannot be written once the session has begun. */
  protection: Protection | undefined
  /** Told of a path whose mode or time was changed. */
  onTouched: (path: string) => void
  /** Puts the files of the programs that the interpreter has brought until now, past the paths and bounds of other files. */
  putPrograms(): void
}

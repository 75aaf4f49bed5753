import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorMessage } from '../../../service/error-message.ts'
import { FarError } from '../../../service/far-error.ts'
import { BoundFile } from './bound-file.ts'
import { directoryPrefix, sweep } from './left-directories.ts'

/** Files that the driver writes again and again: a command, its input, code, and what is put into a file. */
const INPUTS = ['command', 'input', 'code', 'content'] as const

/** The file of lines for a shell, and the pipe that says that there is another one. */
export const LINES = { file: 'lines', pipe: 'go' } as const

export type Inputs = Readonly<Record<(typeof INPUTS)[number], BoundFile>>

/** The directory for temporary files, without links. @throws FarError `IO_ERROR` where it is not there */
export function temporaryDirectory(): string {
  try {
    return realpathSync(tmpdir())
  } catch (error) {
    throw noFiles(error)
  }
}

function noFiles(error: unknown): FarError {
  const message = `No files for a jail can be made in '${tmpdir()}': ${errorMessage(error)}. Make room there, or set TMPDIR to a directory that this process can write.`
  return new FarError({ code: 'IO_ERROR', message })
}

/** What the driver and a jail share: a directory of this user alone, which the jail can read. */
export class PrivateDirectory {
  readonly #path: string
  readonly inputs: Inputs

  private constructor(path: string, inputs: Inputs) {
    this.#path = path
    this.inputs = inputs
  }

  /** @throws FarError `IO_ERROR` where it cannot be made */
  static async make(scripts: Readonly<Record<string, string>>): Promise<PrivateDirectory> {
    let path: string | undefined
    try {
      sweep()
      path = mkdtempSync(join(tmpdir(), directoryPrefix()))
      const at = (name: string) => join(path ?? '', name)
      for (const [name, text] of Object.entries({ ...scripts, [LINES.file]: '' }))
        writeFileSync(at(name), text, { mode: 0o644 })
      const [command, input, code, content] = await Promise.all([
        BoundFile.make(at('command')),
        BoundFile.make(at('input')),
        BoundFile.make(at('code')),
        BoundFile.make(at('content')),
      ])
      return new PrivateDirectory(path, { command, input, code, content })
    } catch (error) {
      if (path !== undefined) rmSync(path, { recursive: true, force: true })
      throw noFiles(error)
    }
  }

  /** The path on the host. */
  get directory(): string {
    return this.#path
  }

  path(name: string): string {
    return join(this.#path, name)
  }

  close(): void {
    rmSync(this.#path, { recursive: true, force: true })
    for (const file of Object.values(this.inputs)) file.close()
  }
}

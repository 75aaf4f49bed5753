import type { ShellDescription } from '../../../../src/contract/shell-api.ts'
import type { BindRecord, StrandsRecord } from '../../../../src/contract/shell-record.ts'
import { inBatches } from '../../../host-files/batches.ts'
import { refuseFile } from '../../../host-files/refuse-file.ts'
import { FarError } from '../../../service/far-error.ts'
import { copyBind, type EmptySources } from '../empty-sources.ts'
import { guardedWrite } from '../guards/write-file.ts'
import { loadOnDemand } from '../load-on-demand.ts'
import type { NativeShell } from '../native-shell.ts'
import { quoted } from '../quoting.ts'
import { placesOf } from './places.ts'

/** How a session begins: what the engine is built with, and what is done once it is. */
export interface PreparedStart {
  /** Empty places of the engine, in front of its binds. */
  readonly binds: readonly BindRecord[]
  /** Puts the files. @returns what of the host's directories was left out. @throws FarError naming the file */
  putFiles(shell: NativeShell, maxFileSize: number): Promise<ShellDescription['skipped']>
  /** Makes the directories that are not there yet, and goes to that of the session. @throws FarError naming the field */
  enter(shell: NativeShell): Promise<void>
}

/** Prepares how a session begins. @param bound - destinations of its binds. */
export function prepareStart(
  record: StrandsRecord,
  bound: readonly string[],
  empty: EmptySources,
): PreparedStart {
  const { directories, files } = placesOf(record, bound)
  return {
    binds: [
      ...directories.map((path) => copyBind(empty.directory, path)),
      ...files.map((path) => copyBind(empty.file, path)),
    ],
    putFiles: (shell, maxFileSize) => putFiles(shell, record, bound, maxFileSize),
    enter: (shell) => enterDirectory(shell, record, new Set(directories)),
  }
}

async function enterDirectory(
  shell: NativeShell,
  { writable = [], cwd }: Pick<StrandsRecord, 'writable' | 'cwd'>,
  made: ReadonlySet<string>,
): Promise<void> {
  for (const [index, path] of writable.entries()) {
    if (!made.has(path)) await makeDirectory(shell, path, `writable[${index}]`)
  }
  if (cwd === undefined) return
  if (!made.has(cwd)) await makeDirectory(shell, cwd, 'cwd')
  const { status, stderr } = await shell.run(`'cd' ${quoted(cwd)} && 'unset' OLDPWD`)
  if (status !== 0) throw cannotBeMade('cwd', stderr)
}

async function putFiles(
  shell: NativeShell,
  { files = [], directories = [], limits, mirror, restores = false }: StrandsRecord,
  bound: readonly string[],
  maxFileSize: number,
): Promise<ShellDescription['skipped']> {
  const own = new Set(files.map(([path]) => path))
  // A checkpoint has what came of directories.
  const skipped =
    directories.length === 0 || restores
      ? []
      : await loadOnDemand().putDirectories(shell, directories, { bound, own, limits, mirror, maxFileSize })
  await inBatches(
    files,
    ([, content]) => content.byteLength,
    async ([path, content]) => {
      const outcome = await guardedWrite(shell, path, content, maxFileSize)
      if (outcome.ok) return
      const { error } = outcome
      throw error.code === 'LIMIT_EXCEEDED' ? new FarError(error) : refuseFile(path, error.message)
    },
  )
  return skipped
}

async function makeDirectory(shell: NativeShell, path: string, field: string): Promise<void> {
  const { status, stderr } = await shell.run(`'[' '-d' ${quoted(path)} ']' || 'mkdir' '-p' ${quoted(path)}`)
  if (status !== 0) throw cannotBeMade(field, stderr)
}

function cannotBeMade(field: string, stderr: string): FarError {
  return new FarError({
    code: 'INVALID_CONFIG',
    field,
    message: `${field} cannot be made: ${stderr.trim()}`,
  })
}

import { packTar, type TarEntry } from 'modern-tar'
import type { JailRecord } from '../../../../src/contract/shell-record.ts'
import { refuseFile } from '../../../host-files/refuse-file.ts'
import { skippedOf, type TakeInBounds, type TakenIn, takeIn } from '../../../host-files/take-in.ts'
import { errorMessage } from '../../../service/error-message.ts'
import { FarError } from '../../../service/far-error.ts'
import { FileTooLarge, fileFailure } from '../../../service/file-failure.ts'
import type { Jail } from '../jail.ts'
import { EMPTY_DIRECTORIES } from '../open/mounts.ts'
import { DRIVER } from '../scripts/places.ts'

/** Files, directories and links of one host directory, at most. */
const MAX_TAKEN = 50_000

/** What was left out of the host's directories. */
type SkippedFiles = ReturnType<typeof skippedOf>

/**
 * Puts what a session begins with: one archive, which is unpacked inside, so that no link leads out of the jail.
 *
 * @throws FarError naming what could not be put
 */
export async function putStart(jail: Jail, record: JailRecord): Promise<SkippedFiles> {
  const { files = [], directories = [], writable = [], cwd, umask = 0o022 } = record
  for (const [path, { byteLength }] of files) requireRoom(path, byteLength, record.limits.maxFileSize)
  const places = record.binds.map(({ destination }) => destination)
  const taken = directories.map((each) => takeIn(each, places, boundsOf(record)))
  const own = new Set(files.map(([path]) => path))
  const entries = [
    ...taken.flatMap((each) => entriesOf(each, own)),
    ...files.map(([path, content]) => fileEntry(path, content, 0o666 & ~umask)),
  ]
  if (entries.length > 0) await unpack(jail, entries, [...directories.map(({ path }) => path), ...own])
  // After the files: `tar` would put a file in the place of an empty directory.
  await makeDirectories(jail, [
    ...writable.map((path, at) => [`writable[${at}]`, path] as const),
    ...(jail.session.isAtStart ? [] : [['cwd', cwd] as const]),
  ])
  return skippedOf(taken)
}

async function makeDirectories(
  jail: Jail,
  named: readonly (readonly [field: string, path: string])[],
): Promise<void> {
  for (const [field, path] of named) {
    try {
      await jail.files.makeDirectory(path)
    } catch (error) {
      const message = `${field} cannot be made: ${errorMessage(error)}`
      throw new FarError({ code: 'INVALID_CONFIG', field, message })
    }
  }
}

async function unpack(jail: Jail, entries: readonly TarEntry[], paths: readonly string[]): Promise<void> {
  try {
    refuseToReplace(entries)
    const archive = await packTar([...entries])
    await jail.files.script(
      `tar -x -p -f ${DRIVER}/content -C / --no-same-owner --keep-directory-symlink --warning=no-timestamp`,
      archive,
    )
  } catch (error) {
    const said = errorMessage(error)
    throw refuseFile(paths.find((each) => said.includes(each.slice(1))) ?? paths[0] ?? '/', said)
  }
}

function requireRoom(path: string, size: number, most: number): void {
  if (size > most) throw new FarError(fileFailure('writeFile', path, new FileTooLarge(size, most)))
}

/** @throws Error where a file would take the place of a directory of the jail, which `tar` allows */
function refuseToReplace(entries: readonly TarEntry[]): void {
  for (const { header } of entries)
    if (header.type !== 'directory' && EMPTY_DIRECTORIES.includes(`/${header.name}`))
      throw new Error(`${header.name} is a directory`)
}

function boundsOf({ limits, tmpfs }: JailRecord): TakeInBounds {
  return {
    maxFiles: MAX_TAKEN,
    maxBytes: tmpfs,
    maxFileSize: limits.maxFileSize,
    names: { maxFiles: undefined, maxBytes: 'tmpfs' },
  }
}

function entriesOf(taken: TakenIn, own: ReadonlySet<string>): TarEntry[] {
  const root: TarEntry = {
    header: { name: `${taken.path.slice(1)}/`, type: 'directory', mode: 0o755, size: 0 },
  }
  const entries = [root]
  for (const [rel, { kind, mode, modified, target = '' }] of taken.entries) {
    const path = `${taken.path}/${rel}`
    if (own.has(path)) continue
    const mtime = new Date(Number(modified / 1_000_000n))
    const name = path.slice(1)
    if (kind === 'link') entries.push({ header: { name, type: 'symlink', linkname: target, size: 0, mtime } })
    else if (kind === 'directory')
      entries.push({ header: { name: `${name}/`, type: 'directory', mode, size: 0, mtime } })
    else {
      const bytes = taken.read(rel)
      if (bytes !== undefined) entries.push(fileEntry(path, bytes, mode, mtime))
    }
  }
  return entries
}

function fileEntry(path: string, body: Uint8Array, mode: number, mtime = new Date()): TarEntry {
  return { header: { name: path.slice(1), type: 'file', mode, size: body.byteLength, mtime }, body }
}

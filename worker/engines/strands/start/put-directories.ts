import type { ShellDescription } from '../../../../src/contract/shell-api.ts'
import type { DirectoryRecord, StrandsRecord } from '../../../../src/contract/shell-record.ts'
import { skippedOf, type TakenIn, takeIn } from '../../../host-files/take-in.ts'
import type { HostEntry } from '../../../host-files/types.ts'
import { FarError } from '../../../service/far-error.ts'
import { outOfInodes } from '../guards/write-file.ts'
import { bringIn, type Incoming } from '../mirror/sandbox/writer.ts'
import type { NativeShell } from '../native-shell.ts'
import { quoted } from '../quoting.ts'

/** The engine's own default of `limits.maxInodes`. */
const MAX_INODES = 10_000

/** What putting directories needs to know. */
interface PutOptions extends Pick<StrandsRecord, 'limits' | 'mirror'> {
  /** Destinations of binds. */
  readonly bound: readonly string[]
  /** Paths of files that are put by themselves. */
  readonly own: ReadonlySet<string>
  /** Bytes; 0: no limit. */
  readonly maxFileSize: number
}

/**
 * Puts what host directories hold. @returns what was left out.
 *
 * @throws FarError where a directory is missing, or holds more than the sandbox may
 */
export async function putDirectories(
  shell: NativeShell,
  directories: readonly DirectoryRecord[],
  { bound, own, limits, mirror, maxFileSize }: PutOptions,
): Promise<ShellDescription['skipped']> {
  const names = { maxFiles: 'limits.maxInodes', maxBytes: 'limits.mirrorMaxBytes' }
  const bounds = {
    maxFiles: limits.maxInodes ?? MAX_INODES,
    maxBytes: mirror.maxBytes,
    maxFileSize,
    names,
  }
  const taken = directories.map((directory) => takeIn(directory, bound, bounds))
  for (const each of taken) await put(shell, each, own)
  return skippedOf(taken)
}

async function put(shell: NativeShell, taken: TakenIn, own: ReadonlySet<string>): Promise<void> {
  const { path: root, entries } = taken
  const path = (rel: string) => (rel === '' ? root : `${root}/${rel}`)
  const incoming = [...entries]
    .filter(([rel]) => !own.has(path(rel)))
    .map(([rel, entry]): Incoming => ({ rel, before: undefined, after: afterOf(rel, entry, taken) }))
  await shell.run(`'mkdir' '-p' ${quoted(root)}`)
  const target = { root, isFile: false, path }
  const refused = await bringIn(shell, target, incoming, () => undefined, new Map())
  if (refused.size > 0) throw new FarError((await outOfInodes(shell, root, 'open')).error)
}

function afterOf(rel: string, entry: HostEntry, { read }: TakenIn): NonNullable<Incoming['after']> {
  const { kind, mode, size, target = '' } = entry
  if (kind === 'link') return { kind, target }
  return kind === 'directory' ? { kind, mode } : { kind, mode, size, read: () => read(rel) }
}

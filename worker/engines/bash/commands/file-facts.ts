import type { CommandContext } from '../just-bash.ts'

/** What programs tell of a file. */
export interface FileFacts {
  readonly path: string
  readonly kind: 'regular file' | 'directory' | 'symbolic link'
  /** Permission bits. */
  readonly mode: number
  /** Permission bits and those of the kind, as the system call gives them. */
  readonly rawMode: number
  /** As `ls -l` shows it. */
  readonly modeText: string
  readonly size: number
  readonly modified: Date
  /** What a link leads to. */
  readonly target: string | undefined
}

const KIND_BITS = { 'regular file': 0o100000, directory: 0o040000, 'symbolic link': 0o120000 } as const
const KIND_LETTERS = { 'regular file': '-', directory: 'd', 'symbolic link': 'l' } as const

/** Whether a path says itself that it leads through a link: `.`, `link/` and `link/.`. */
export const leadsThrough = (path: string): boolean => /(?:^|\/)\.{1,2}$|\/$/.test(path)

/** @param follow - whether a link is told as what it leads to. @throws where there is nothing */
export async function factsOf(
  path: string,
  { fs, cwd }: CommandContext,
  follow: boolean,
): Promise<FileFacts> {
  const full = fs.resolvePath(cwd, path)
  const stat = follow || leadsThrough(path) ? await fs.stat(full) : await fs.lstat(full)
  const target = stat.isSymbolicLink ? await fs.readlink(full) : undefined
  const kind = stat.isSymbolicLink ? 'symbolic link' : stat.isDirectory ? 'directory' : 'regular file'
  const mode = kind === 'symbolic link' ? 0o777 : stat.mode & 0o7777
  const size = kind === 'directory' ? 4096 : (target?.length ?? stat.size)
  return {
    path,
    kind,
    mode,
    rawMode: KIND_BITS[kind] | mode,
    modeText: KIND_LETTERS[kind] + permissions(mode),
    size,
    modified: stat.mtime,
    target,
  }
}

/** `rwsr-xr-t` */
export function permissions(mode: number): string {
  const special = [mode & 0o4000, mode & 0o2000, mode & 0o1000].map(Boolean)
  return [6, 3, 0]
    .map((shift, at) => {
      const bits = (mode >> shift) & 7
      const letter = at === 2 ? 't' : 's'
      const last = special[at] ? (bits & 1 ? letter : letter.toUpperCase()) : bits & 1 ? 'x' : '-'
      return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${last}`
    })
    .join('')
}

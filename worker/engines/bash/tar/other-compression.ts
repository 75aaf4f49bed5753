import { type Answer, failed } from '../commands/command.ts'
import { original } from '../commands/wrapper.ts'
import type { CommandContext } from '../just-bash.ts'

/** What `-C` names. */
function directoriesOf(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const next = args[at + 1] ?? ''
    if (arg === '--directory' || /^-[^-f]*C$/.test(arg)) return [next]
    const attached = /^(?:--directory=|-C)(.+)$/s.exec(arg)?.[1]
    return attached === undefined ? [] : [attached]
  })
}

const isDirectory = async (path: string, { fs }: CommandContext) =>
  (await fs.exists(path)) && (await fs.stat(path)).isDirectory

/** The letters of the first words: `cvf`, `-cv -f`. */
const lettersOf = (args: readonly string[]) =>
  args
    .filter((arg, at) => /^-[^-]/.test(arg) || (at === 0 && !arg.startsWith('-')))
    .map((arg) => arg.replace(/f.*$/s, 'f'))
    .join('')

/** Whether names are listed on standard output: an archive, and what is extracted, may go there too. */
function listsNames(args: readonly string[]): boolean {
  const letters = lettersOf(args)
  const isVerbose = letters.includes('v') || args.includes('--verbose')
  const file = args.findIndex(
    (arg, at) => /^-[^-]*f$|^--file$/.test(arg) || (at === 0 && /^[^-].*f$/.test(arg)),
  )
  const isToFile =
    letters.includes('x') || args.includes('--extract') || (file >= 0 && args[file + 1] !== '-')
  return (
    isVerbose &&
    isToFile &&
    !/[tO]/.test(letters) &&
    !args.includes('--to-stdout') &&
    !args.includes('--list')
  )
}

/** The words that name files of a new archive, by their places; none where it keeps its names. */
function filesOf(args: readonly string[]): number[] {
  const letters = lettersOf(args)
  const creates = letters.includes('c') || args.includes('--create')
  if (!creates || letters.includes('P') || args.includes('--absolute-names')) return []
  return args.flatMap((arg, at) => {
    const before = args[at - 1] ?? ''
    const isValue =
      /^-[^-]*[fCTX]$|^--(?:file|directory|files-from|exclude|exclude-from)$/.test(before) ||
      (at === 1 && /^[^-].*f$/.test(before))
    return arg.startsWith('-') || at === 0 || isValue ? [] : [at]
  })
}

/** Names that are all absolute, without their first `/`, as they are in an archive of GNU tar. */
function withoutRoot(args: readonly string[]): readonly string[] | undefined {
  const files = filesOf(args)
  if (files.length === 0 || !files.every((at) => args[at]?.startsWith('/'))) return undefined
  return args
    .map((arg, at) => (files.includes(at) ? arg.replace(/^\/+/, '') || '.' : arg))
    .toSpliced(files[0] ?? 0, 0, '-C', '/')
}

const REMOVED = "tar: Removing leading `/' from member names\n"

/**
 * `tar` of just-bash, for archives by bzip2, xz and zstd. It makes a directory of `-C` that is missing, lists names with `-v` on standard
 * error, and keeps the first `/` of the names in a new archive.
 */
export async function otherTar(args: readonly string[], context: CommandContext): Promise<Answer> {
  let place = context.cwd
  for (const directory of directoriesOf(args)) {
    place = context.fs.resolvePath(place, directory)
    if (!(await isDirectory(place, context)))
      return failed(
        'tar',
        `${directory}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now`,
        2,
      )
  }
  const relative = withoutRoot(args)
  const answer = await original('tar', relative ?? args, context)
  const lists = listsNames(args) && answer.stdout === ''
  if (relative === undefined && !lists) return answer
  const removed = relative === undefined ? '' : REMOVED
  const lines = answer.stderr.split(/(?<=\n)/)
  const names = lines.filter((line) => line !== '' && !line.startsWith('tar: '))
  const errors = removed + lines.filter((line) => line.startsWith('tar: ')).join('')
  const listed = relative === undefined ? names : names.map((name) => `/${name}`)
  return lists
    ? { ...answer, stdout: listed.join(''), stderr: errors }
    : { ...answer, stderr: errors + listed.join('') }
}

import type { CommandContext } from '../just-bash.ts'
import { failed } from './command.ts'
import { rewriting } from './wrapper.ts'

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

/** `tar -C directory`: just-bash makes one that is missing. */
export const tar = rewriting('tar', async (args, context) => {
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
  return args
})

import { posix } from 'node:path'
import type { CommandContext } from '../just-bash.ts'
import { type OwnCommand, reason } from './command.ts'
import { original } from './wrapper.ts'

/** Does to a path what the program has done. @throws why that fails */
type Again = (fs: CommandContext['fs'], path: string) => Promise<unknown>

/** A program of just-bash that takes whatever fails for a missing file: what fails again says why. */
const telling = (name: string, line: RegExp, again: Again): OwnCommand => ({
  name,
  async run(args, context) {
    const answer = await original(name, args, context)
    if (answer.exitCode === 0) return answer
    const lines = answer.stderr.split('\n').map(async (text) => {
      const path = line.exec(text)?.[1]
      if (path === undefined) return text
      const why = await failure(() => again(context.fs, context.fs.resolvePath(context.cwd, path)))
      return why === undefined ? text : text.replace(/No such file or directory$/, () => why)
    })
    return { ...answer, stderr: (await Promise.all(lines)).join('\n') }
  },
})

async function failure(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    return reason(error)
  }
}

export const chmod = telling(
  'chmod',
  /^chmod: cannot access '(.+)': No such file or directory$/,
  async (fs, path) => fs.chmod(path, (await fs.stat(path)).mode & 0o7777),
)

export const tee = telling('tee', /^tee: (.+): No such file or directory$/, async (fs, path) => {
  await fs.stat(posix.dirname(path))
  await fs.appendFile(path, '')
})

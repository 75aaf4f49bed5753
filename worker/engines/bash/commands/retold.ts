import type { OwnCommand } from './command.ts'
import { original } from './wrapper.ts'

/** `program: path: No such file or directory`, as just-bash tells of whatever it cannot read. */
const MISSING = /^(\w+): (.+): No such file or directory$/gm

/** A program with what it tells of files in the words of GNU's. */
export const retold = (
  command: OwnCommand,
  told: (path: string) => string = (path) => `cannot open '${path}' for reading`,
): OwnCommand => ({
  name: command.name,
  async run(args, context, interpreter) {
    const answer = await command.run(args, context, interpreter)
    if (!answer.stderr.includes('No such file')) return answer
    let stderr = answer.stderr
    for (const [line, name, path = ''] of answer.stderr.matchAll(MISSING)) {
      const stat = await context.fs.stat(context.fs.resolvePath(context.cwd, path)).catch(() => undefined)
      const why = stat?.isDirectory === true ? 'Is a directory' : 'No such file or directory'
      const named = why === 'Is a directory' ? path : told(path)
      if (!path.startsWith('cannot open ')) stderr = stderr.replace(line, () => `${name}: ${named}: ${why}`)
    }
    return { ...answer, stderr }
  },
})

/** `cat`, which tells of a directory that it is one. */
export const cat = retold(
  { name: 'cat', run: (args, context) => original('cat', args, context) },
  (path) => path,
)

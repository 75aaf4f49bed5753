import type { CommandContext } from '../just-bash.ts'
import { runChild } from '../session/child.ts'
import { RUN_FILE } from '../transform/file-command.ts'
import { type Answer, failed, type OwnCommand } from './command.ts'
import { runWords } from './run-words.ts'

const BUILT_IN = /^#!\/bin\/bash\n# Built-in command: (\S+)\n/

/** `./x.sh a b`: by the interpreter that the file's first line names. */
export const runFile: OwnCommand = {
  name: RUN_FILE,
  async run([path = '', ...args], context, interpreter) {
    const { rules } = interpreter
    const full = context.fs.resolvePath(context.cwd, path)
    const refused = await refusal(path, full, context)
    if (refused !== undefined) return refused
    const text = await context.fs.readFile(full)
    const builtIn = BUILT_IN.exec(text)?.[1]
    if (builtIn !== undefined)
      return (await rules?.refuseDeniedFile(full)) ?? runWords('bash', [builtIn, ...args], context)
    const [program = 'bash', ...options] = shebang(text)
    const notAllowed = (await rules?.refuseFile(full)) ?? rules?.refuseWord(program)
    if (notAllowed !== undefined) return notAllowed
    if (program !== 'bash' && program !== 'sh')
      return runWords('bash', [program, ...options, path, ...args], context)
    const letters = options.flatMap((option) => [...option.replace(/^-/, '')])
    return runChild(interpreter, context, { text, words: [path, ...args], options: letters, origin: 'file' })
  },
}

async function refusal(path: string, full: string, context: CommandContext): Promise<Answer | undefined> {
  const stat = await context.fs.stat(full).catch(() => undefined)
  if (stat === undefined) return failed('bash', `${path}: No such file or directory`, 127)
  if (stat.isDirectory) return failed('bash', `${path}: Is a directory`, 126)
  if ((stat.mode & 0o111) === 0) return failed('bash', `${path}: Permission denied`, 126)
  return undefined
}

/** The words of `#!/usr/bin/env -S awk -f`, without folders and `env`. */
function shebang(text: string): string[] {
  const words = /^#!\s*(.*)/.exec(text)?.[1]?.trim().split(/\s+/) ?? []
  const names = words.map((word) => (word.startsWith('/') ? (word.split('/').at(-1) ?? word) : word))
  return names[0] === 'env' ? names.slice(1).filter((word) => word !== '-S') : names
}

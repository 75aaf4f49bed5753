import type { CommandContext } from '../just-bash.ts'
import { changedMode } from '../text/mode.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  mode: { type: 'string', short: 'm' },
  parents: { type: 'boolean', short: 'p' },
  verbose: { type: 'boolean', short: 'v' },
} as const

/** `mkdir [-p] [-v] [-m mode] directory…`. */
export const mkdir: OwnCommand = {
  name: 'mkdir',
  async run(args, context, { files: { umask } }) {
    const read = readOptions('mkdir', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    if (operands.length === 0) return failed('mkdir', 'missing operand')
    const text = values.get('mode')
    const mode =
      text === undefined ? undefined : changedMode(text, { mode: 0o777 & ~umask, isDirectory: true, umask })
    if (text !== undefined && mode === undefined) return failed('mkdir', `invalid mode '${text}'`)
    let [stdout, stderr] = ['', '']
    for (const path of operands) {
      try {
        const made = await make(path, context, flags.has('parents'))
        if (flags.has('verbose')) stdout += made.map((one) => `mkdir: created directory '${one}'\n`).join('')
        if (mode !== undefined && made.includes(path))
          await context.fs.chmod(context.fs.resolvePath(context.cwd, path), mode)
      } catch (error) {
        stderr += `mkdir: cannot create directory '${path}': ${reason(error)}\n`
      }
    }
    return { ...done(stdout), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

/** Makes a directory. @returns what was made, as it is written in the path */
async function make(path: string, { fs, cwd }: CommandContext, parents: boolean): Promise<string[]> {
  if (!parents) {
    await fs.mkdir(fs.resolvePath(cwd, path))
    return [path]
  }
  const made: string[] = []
  const names = path.split('/')
  for (let length = 1; length <= names.length; length += 1) {
    const part = names.slice(0, length).join('/')
    if (part === '' || (names[length - 1] === '' && length > 1)) continue
    const full = fs.resolvePath(cwd, part)
    const stat = await fs.stat(full).catch(() => undefined)
    if (stat?.isDirectory) continue
    await fs.mkdir(full)
    made.push(length === names.length ? path : part)
  }
  return made
}

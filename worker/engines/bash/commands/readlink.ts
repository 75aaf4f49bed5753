import { done, failed, type OwnCommand } from './command.ts'
import { isGiven, readOptions } from './options.ts'
import { resolved } from './realpath.ts'

const OPTIONS = {
  canonicalize: { type: 'boolean', short: 'f' },
  'canonicalize-existing': { type: 'boolean', short: 'e' },
  'canonicalize-missing': { type: 'boolean', short: 'm' },
  'no-newline': { type: 'boolean', short: 'n' },
  quiet: { type: 'boolean', short: 'q' },
  silent: { type: 'boolean', short: 's' },
  verbose: { type: 'boolean', short: 'v' },
  zero: { type: 'boolean', short: 'z' },
} as const

/** `readlink [-femnqsvz] path…`: what a link leads to, or a path without links. */
export const readlink: OwnCommand = {
  name: 'readlink',
  async run(args, context) {
    const read = readOptions('readlink', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, operands } = read
    if (operands.length === 0) return failed('readlink', 'missing operand')
    const { fs, cwd } = context
    const follows = [...flags].some((flag) => flag.startsWith('canonicalize'))
    const found: string[] = []
    let stderr = ''
    for (const path of operands) {
      const full = fs.resolvePath(cwd, path)
      const target =
        path === ''
          ? undefined
          : await (follows ? resolved(path, context, flags) : fs.readlink(full).catch(() => undefined))
      if (target !== undefined) found.push(target)
      else
        stderr += `readlink: ${path}: ${(await fs.exists(full)) ? 'Invalid argument' : 'No such file or directory'}\n`
    }
    const end = flags.has('zero') ? '\0' : '\n'
    const isCut = flags.has('no-newline') && operands.length === 1
    const stdout = found.map((target) => target + (isCut ? '' : end)).join('')
    return { ...done(stdout, stderr === '' ? 0 : 1), stderr: flags.has('verbose') ? stderr : '' }
  },
}

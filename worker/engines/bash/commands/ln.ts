import type { CommandContext } from '../just-bash.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  symbolic: { type: 'boolean', short: 's' },
  force: { type: 'boolean', short: 'f' },
  'no-dereference': { type: 'boolean', short: 'n' },
  'no-target-directory': { type: 'boolean', short: 'T' },
  'target-directory': { type: 'string', short: 't' },
  verbose: { type: 'boolean', short: 'v' },
} as const

/** `ln -s [-f] [-n] [-v] target… [link | directory]`. The files of a sandbox have one name each: hard links are refused. */
export const ln: OwnCommand = {
  name: 'ln',
  async run(args, context) {
    const read = readOptions('ln', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    if (!flags.has('symbolic')) return failed('ln', 'hard links are not known here; use ln -s or cp')
    const words = [...operands]
    if (words.length === 0) return failed('ln', 'missing file operand')
    const given = values.get('target-directory') ?? (words.length > 1 ? words.pop() : undefined) ?? '.'
    const asLink =
      flags.has('no-target-directory') || (flags.has('no-dereference') && (await isLink(given, context)))
    const inside = values.has('target-directory') || (!asLink && (await isDirectory(given, context)))
    if (!inside && words.length > 1) return failed('ln', `target '${given}' is not a directory`)
    let [stdout, stderr] = ['', '']
    for (const target of words) {
      const link = inside ? `${given.replace(/\/$/, '')}/${target.split('/').at(-1)}` : given
      try {
        await makeLink(target, link, context, flags.has('force'))
        if (flags.has('verbose')) stdout += `'${link}' -> '${target}'\n`
      } catch (error) {
        stderr += `ln: failed to create symbolic link '${link}': ${reason(error)}\n`
      }
    }
    return { ...done(stdout), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

async function makeLink(target: string, link: string, { fs, cwd }: CommandContext, force: boolean) {
  const at = fs.resolvePath(cwd, link)
  const old = await fs.lstat(at).catch(() => undefined)
  if (old !== undefined && force && !old.isDirectory) await fs.rm(at)
  await fs.symlink(target, at)
}

async function isDirectory(path: string, { fs, cwd }: CommandContext): Promise<boolean> {
  return (await fs.stat(fs.resolvePath(cwd, path)).catch(() => undefined))?.isDirectory === true
}

async function isLink(path: string, { fs, cwd }: CommandContext): Promise<boolean> {
  return (await fs.lstat(fs.resolvePath(cwd, path)).catch(() => undefined))?.isSymbolicLink === true
}

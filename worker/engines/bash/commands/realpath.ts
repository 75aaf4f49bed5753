import type { CommandContext } from '../just-bash.ts'
import { done, failed, type OwnCommand } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  'canonicalize-existing': { type: 'boolean', short: 'e' },
  'canonicalize-missing': { type: 'boolean', short: 'm' },
  logical: { type: 'boolean', short: 'L' },
  physical: { type: 'boolean', short: 'P' },
  quiet: { type: 'boolean', short: 'q' },
  strip: { type: 'boolean', short: 's' },
  'no-symlinks': { type: 'boolean' },
  zero: { type: 'boolean', short: 'z' },
  'relative-to': { type: 'string' },
  'relative-base': { type: 'string' },
} as const

/** Links that lead to each other without end. */
const MOST_LINKS = 40

/** A path without links, or undefined where it leads to nothing that is needed. */
export async function resolved(
  path: string,
  context: CommandContext,
  flags: ReadonlySet<string>,
  links = 0,
): Promise<string | undefined> {
  const { fs, cwd } = context
  const full = fs.resolvePath(cwd, path)
  if (flags.has('strip') || flags.has('no-symlinks')) return full
  const real = await fs.realpath(full).catch(() => undefined)
  if (real !== undefined || flags.has('canonicalize-existing')) return real
  const parent = fs.resolvePath(full, '..')
  const target = links < MOST_LINKS ? await fs.readlink(full).catch(() => undefined) : undefined
  if (target !== undefined) return resolved(fs.resolvePath(parent, target), context, flags, links + 1)
  const above = await fs.realpath(parent).catch(() => undefined)
  if (above !== undefined) return `${above === '/' ? '' : above}/${full.split('/').at(-1)}`
  if (!flags.has('canonicalize-missing')) return undefined
  const rest = await resolved(parent, context, flags)
  return `${rest === '/' || rest === undefined ? '' : rest}/${full.split('/').at(-1)}`
}

function relative(from: string, to: string): string {
  const [source, target] = [from, to].map((path) => path.split('/').filter((part) => part !== ''))
  const shared = (source ?? []).findIndex((part, at) => part !== target?.[at])
  const same = shared < 0 ? (source?.length ?? 0) : shared
  const parts = [...(source ?? []).slice(same).map(() => '..'), ...(target ?? []).slice(same)]
  return parts.length === 0 ? '.' : parts.join('/')
}

/** `realpath [-ems] [--relative-to=folder] [--relative-base=folder] path…` */
export const realpath: OwnCommand = {
  name: 'realpath',
  async run(args, context) {
    const read = readOptions('realpath', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    if (operands.length === 0) return failed('realpath', 'missing operand')
    const folder = async (name: string) => {
      const path = values.get(name)
      return path === undefined ? undefined : resolved(path, context, flags)
    }
    const [to, base] = [await folder('relative-to'), await folder('relative-base')]
    let [stdout, stderr] = ['', '']
    for (const path of operands) {
      const real = path === '' ? undefined : await resolved(path, context, flags)
      const inside = base === undefined || real === base || real?.startsWith(`${base}/`) === true
      const from = to ?? base
      if (real === undefined)
        stderr += flags.has('quiet') ? '' : `realpath: ${path}: No such file or directory\n`
      else
        stdout += `${from !== undefined && inside ? relative(from, real) : real}${flags.has('zero') ? '\0' : '\n'}`
      if (real === undefined) stderr ||= ' '
    }
    return { ...done(stdout), stderr: stderr.trimStart(), exitCode: stderr === '' ? 0 : 1 }
  },
}

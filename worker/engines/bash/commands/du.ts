import type { CommandContext } from '../just-bash.ts'
import { globPattern } from '../text/glob.ts'
import { withoutSlashes } from '../text/slashes.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'
import { factsOf } from './file-facts.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  all: { type: 'boolean', short: 'a' },
  'apparent-size': { type: 'boolean' },
  bytes: { type: 'boolean', short: 'b' },
  dereference: { type: 'boolean', short: 'L' },
  exclude: { type: 'string' },
  'human-readable': { type: 'boolean', short: 'h' },
  kilobytes: { type: 'boolean', short: 'k' },
  'max-depth': { type: 'string', short: 'd' },
  megabytes: { type: 'boolean', short: 'm' },
  'one-file-system': { type: 'boolean', short: 'x' },
  'separate-dirs': { type: 'boolean', short: 'S' },
  summarize: { type: 'boolean', short: 's' },
  total: { type: 'boolean', short: 'c' },
} as const

/** What a file takes is a whole number of these. */
const BLOCK = 4096

interface Walk {
  readonly context: CommandContext
  readonly flags: ReadonlySet<string>
  readonly excluded: RegExp | undefined
  readonly depth: number
  readonly lines: string[]
  readonly errors: string[]
}

/** `du [-abchkLmsSx] [-d depth] [--apparent-size] [--exclude=pattern] [path…]`. A directory takes one block. */
export const du: OwnCommand = {
  name: 'du',
  async run(args, context) {
    const read = readOptions('du', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const given = values.get('max-depth')
    if (given !== undefined && !/^\d+$/.test(given)) return failed('du', `invalid maximum depth '${given}'`)
    const exclude = values.get('exclude')
    const walk: Walk = {
      context,
      flags,
      excluded: exclude === undefined ? undefined : globPattern(exclude),
      depth: flags.has('summarize') ? 0 : Number(given ?? Number.POSITIVE_INFINITY),
      lines: [],
      errors: [],
    }
    let total = 0
    for (const path of operands.length === 0 ? ['.'] : operands) total += await take(path, 0, walk)
    if (flags.has('total')) walk.lines.push(line(total, 'total', flags))
    const exitCode = walk.errors.length === 0 ? 0 : 1
    return { ...done(walk.lines.join(''), exitCode), stderr: walk.errors.join('') }
  },
}

/** @returns the bytes that a path takes with all that is in it */
async function take(path: string, depth: number, walk: Walk): Promise<number> {
  const { context, flags, excluded } = walk
  if (excluded?.test(path) || excluded?.test(path.slice(path.lastIndexOf('/') + 1))) return 0
  try {
    const facts = await factsOf(path, context, flags.has('dereference'))
    let [own, inner] = [taken(facts.size, flags), 0]
    const isDirectory = facts.kind === 'directory'
    const names = isDirectory ? await context.fs.readdir(context.fs.resolvePath(context.cwd, path)) : []
    for (const name of names) {
      const below = `${withoutSlashes(path)}/${name}`
      const size = await take(below, depth + 1, walk)
      if (flags.has('separate-dirs') && (await isFolder(below, context))) inner += size
      else own += size
    }
    const isShown = depth === 0 || (depth <= walk.depth && (isDirectory || flags.has('all')))
    if (isShown) walk.lines.push(line(own, path, flags))
    return own + inner
  } catch (error) {
    walk.errors.push(`du: cannot access '${path}': ${reason(error)}\n`)
    return 0
  }
}

const isFolder = async (path: string, context: CommandContext) =>
  (await factsOf(path, context, false)).kind === 'directory'

const taken = (size: number, flags: ReadonlySet<string>) =>
  flags.has('bytes') || flags.has('apparent-size') ? size : Math.ceil(size / BLOCK) * BLOCK

const line = (bytes: number, path: string, flags: ReadonlySet<string>) => `${shown(bytes, flags)}\t${path}\n`

function shown(bytes: number, flags: ReadonlySet<string>): string {
  if (flags.has('human-readable')) return human(bytes)
  if (flags.has('bytes')) return String(bytes)
  return String(Math.ceil(bytes / (flags.has('megabytes') ? 1024 ** 2 : 1024)))
}

/** `512`, `4.0K`, `12K`: rounded up. */
function human(bytes: number): string {
  if (bytes < 1024) return String(bytes)
  let [value, power] = [bytes / 1024, 0]
  while (Math.ceil(value) >= 1024 && power < 4) [value, power] = [value / 1024, power + 1]
  const tenths = Math.ceil(value * 10) / 10
  return `${tenths < 10 ? tenths.toFixed(1) : Math.ceil(value)}${'KMGTP'[power]}`
}

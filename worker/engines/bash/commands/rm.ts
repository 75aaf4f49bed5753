import type { CommandContext } from '../just-bash.ts'
import { lastName, withoutSlashes } from '../text/slashes.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'

const LONG: Readonly<Record<string, string>> = {
  '--recursive': 'r',
  '--force': 'f',
  '--verbose': 'v',
  '--dir': 'd',
  '--interactive': 'i',
  '--one-file-system': '',
  '--preserve-root': '',
}

/** What `-f` is silent about. */
const MISSING = new Set(['No such file or directory', 'Not a directory'])

interface Given {
  readonly letters: ReadonlySet<string>
  readonly paths: readonly string[]
}

function readArguments(args: readonly string[]): Given | string {
  const letters = new Set<string>()
  const paths: string[] = []
  for (const [at, arg] of args.entries()) {
    if (arg === '--') return { letters, paths: [...paths, ...args.slice(at + 1)] }
    const known = LONG[arg.split('=')[0] ?? '']
    if (known !== undefined) letters.add(known)
    else if (arg.startsWith('--')) return `unrecognized option '${arg}'`
    else if (/^-[rRfvidI]+$/.test(arg))
      for (const letter of arg.slice(1)) letters.add(letter.replace('R', 'r'))
    else if (/^-./.test(arg)) return `invalid option -- '${arg[1]}'`
    else paths.push(arg)
  }
  return { letters, paths }
}

/**
 * `rm [-rfvd] path…`. That of just-bash removes no link that leads nowhere, and with `-f` says nothing of what it could
 * not remove.
 */
export const rm: OwnCommand = {
  name: 'rm',
  async run(args, context) {
    const given = readArguments(args)
    if (typeof given === 'string') return failed('rm', given)
    const { letters, paths } = given
    if (paths.length === 0 && !letters.has('f')) return failed('rm', 'missing operand')
    let [stdout, stderr] = ['', '']
    const answers = letters.has('i') ? String(context.stdin).split('\n') : []
    for (const path of paths) {
      if (letters.has('i')) {
        const kind = await kindOf(path, context)
        if (kind !== undefined) {
          stderr += `rm: remove ${kind} '${path}'? `
          if (!/^[yY]/.test(answers.shift() ?? '')) continue
        }
      }
      const removed = letters.has('v') ? await told(path, context) : ''
      const problem = await remove(path, letters, context)
      if (problem !== undefined) stderr += `rm: ${problem}\n`
      else stdout += removed
    }
    return { ...done(stdout), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

/** What a question calls a path; undefined where there is none. */
async function kindOf(path: string, { fs, cwd }: CommandContext): Promise<string | undefined> {
  const stat = await fs.lstat(fs.resolvePath(cwd, path)).catch(() => undefined)
  if (stat === undefined) return undefined
  if (stat.isDirectory) return 'directory'
  if (stat.isSymbolicLink) return 'symbolic link'
  return stat.size === 0 ? 'regular empty file' : 'regular file'
}

/** What `-v` tells of a path and what is in it. */
async function told(path: string, context: CommandContext): Promise<string> {
  const { fs, cwd } = context
  const full = fs.resolvePath(cwd, path)
  const stat = await fs.lstat(full).catch(() => undefined)
  if (stat?.isDirectory !== true) return stat === undefined ? '' : `removed '${path}'\n`
  const inner = []
  for (const name of await fs.readdir(full))
    inner.push(await told(`${withoutSlashes(path)}/${name}`, context))
  return `${inner.join('')}removed directory '${path}'\n`
}

/** Removes one path. @returns why it could not */
async function remove(
  path: string,
  letters: ReadonlySet<string>,
  { fs, cwd }: CommandContext,
): Promise<string | undefined> {
  const full = fs.resolvePath(cwd, path)
  const last = lastName(path)
  if (last === '.' || last === '..') return `refusing to remove '.' or '..' directory: skipping '${path}'`
  if (full === '/') return "it is dangerous to operate recursively on '/'"
  try {
    const stat = await fs.lstat(full)
    const isFull = stat.isDirectory && (await fs.readdir(full)).length > 0
    if (stat.isDirectory && !letters.has('r') && (!letters.has('d') || isFull))
      return `cannot remove '${path}': ${letters.has('d') ? 'Directory not empty' : 'Is a directory'}`
    await fs.rm(full, { recursive: letters.has('r') })
    return undefined
  } catch (error) {
    const text = reason(error)
    if (letters.has('f') && MISSING.has(text)) return undefined
    return `cannot remove '${path}': ${text.includes('ENOTEMPTY') ? 'Directory not empty' : text}`
  }
}

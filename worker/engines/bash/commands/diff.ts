import type { CommandContext } from '../just-bash.ts'
import { globPattern } from '../text/glob.ts'
import { type Answer, done, failed, type OwnCommand, readInput, reason } from './command.ts'
import { contextual, normal, type Side, sideBySide, unified } from './diff-formats.ts'
import { differences, type Hunk } from './diff-lines.ts'
import { type DiffOptions, readDiffOptions } from './diff-options.ts'

async function side(path: string, context: CommandContext, absentAsEmpty: boolean): Promise<Side> {
  const missing = absentAsEmpty && !(await context.fs.exists(context.fs.resolvePath(context.cwd, path)))
  const text = missing ? '' : await readInput(path, context)
  const lines = text.split('\n')
  const endsWithNewline = lines.at(-1) === ''
  if (endsWithNewline) lines.pop()
  const stat =
    path === '-'
      ? undefined
      : await context.fs.stat(context.fs.resolvePath(context.cwd, path)).catch(() => undefined)
  return { name: path, lines, endsWithNewline, modified: missing ? new Date(0) : (stat?.mtime ?? new Date()) }
}

async function compare(a: string, b: string, options: DiffOptions, context: CommandContext): Promise<Answer> {
  const [left, right] = await Promise.all([
    side(a, context, options.absentAsEmpty),
    side(b, context, options.absentAsEmpty),
  ])
  const key = (line: string) => options.keys.reduce((text, apply) => apply(text), line)
  const [keysLeft, keysRight] = [left.lines.map(key), right.lines.map(key)]
  const atEnd = (index: number, of: Side) => index === of.lines.length - 1 && !of.endsWithNewline
  const all = differences(
    left.lines.length,
    right.lines.length,
    (i, j) => keysLeft[i] === keysRight[j] && atEnd(i, left) === atEnd(j, right),
  )
  const empty = (lines: readonly string[], [from, to]: readonly [number, number]) =>
    lines.slice(from, to).every((line) => line === '')
  const found = options.blank
    ? all.filter((hunk) => !empty(left.lines, hunk.left) || !empty(right.lines, hunk.right))
    : all
  if (found.length === 0 && options.sideBySide && !options.brief)
    return {
      stdout: sideBySide(left, right, [], columnsOf(options)),
      stderr: '',
      exitCode: 0,
      stdoutKind: 'bytes',
    }
  if (found.length === 0) return done(options.identical ? `Files ${a} and ${b} are identical\n` : '')
  if (options.brief) return done(`Files ${a} and ${b} differ\n`, 1)
  return { stdout: written(left, right, found, options), stderr: '', exitCode: 1, stdoutKind: 'bytes' }
}

const columnsOf = ({ width, leftColumn, suppressCommon }: DiffOptions) => ({
  width,
  leftColumn,
  suppressCommon,
})

function written(left: Side, right: Side, found: readonly Hunk[], options: DiffOptions): string {
  if (options.sideBySide) return sideBySide(left, right, found, columnsOf(options))
  if (options.unified !== undefined) return unified(left, right, found, options.unified, options.labels)
  if (options.contextual !== undefined)
    return contextual(left, right, found, options.contextual, options.labels)
  return normal(left, right, found)
}

async function compareTrees(
  a: string,
  b: string,
  options: DiffOptions,
  context: CommandContext,
): Promise<Answer> {
  const list = async (path: string) => {
    const full = context.fs.resolvePath(context.cwd, path)
    const isAbsent = options.absentAsEmpty && !(await context.fs.exists(full))
    return new Set(isAbsent ? [] : await context.fs.readdir(full))
  }
  const [left, right] = await Promise.all([list(a), list(b)])
  const patterns = options.excluded.map(globPattern)
  const isExcluded = (name: string) => patterns.some((pattern) => pattern.test(name))
  let [text, status] = ['', 0]
  for (const name of [...new Set([...left, ...right])].filter((one) => !isExcluded(one)).sort()) {
    const [one, other] = [`${a.replace(/\/$/, '')}/${name}`, `${b.replace(/\/$/, '')}/${name}`]
    if (!options.absentAsEmpty && (!left.has(name) || !right.has(name))) {
      text += `Only in ${(left.has(name) ? a : b).replace(/\/$/, '')}: ${name}\n`
      status = 1
      continue
    }
    const present = context.fs.resolvePath(context.cwd, left.has(name) ? one : other)
    const folder = (await context.fs.stat(present)).isDirectory
    if (folder && !options.recursive) {
      text += `Common subdirectories: ${one} and ${other}\n`
      continue
    }
    const answer = folder
      ? await compareTrees(one, other, options, context)
      : await compare(one, other, options, context)
    const head =
      answer.exitCode === 1 && !folder && !options.brief
        ? `diff ${options.given === '' ? '' : `${options.given} `}${one} ${other}\n`
        : ''
    text += head + answer.stdout
    status = Math.max(status, answer.exitCode)
  }
  return done(text, status)
}

/** `diff` in its normal format, `-u`, `-c`, `-y`, `-q`, `-r`. */
export const diff: OwnCommand = {
  name: 'diff',
  async run(args, context) {
    const read = readDiffOptions(args)
    if (typeof read === 'string') return failed('diff', read, 2)
    const [a, b, ...more] = read.paths
    if (a === undefined || b === undefined) return failed('diff', `missing operand after '${a ?? 'diff'}'`, 2)
    if (more.length > 0) return failed('diff', `extra operand '${more[0]}'`, 2)
    try {
      const isFolder = async (path: string) =>
        path !== '-' &&
        (await context.fs.stat(context.fs.resolvePath(context.cwd, path)).catch(() => undefined))
          ?.isDirectory === true
      const [left, right] = [await isFolder(a), await isFolder(b)]
      if (left && right) return await compareTrees(a, b, read.options, context)
      const base = (path: string) => path.split('/').at(-1) ?? path
      return await compare(left ? `${a}/${base(b)}` : a, right ? `${b}/${base(a)}` : b, read.options, context)
    } catch (error) {
      const isThere = (path: string) =>
        path === '-' || context.fs.exists(context.fs.resolvePath(context.cwd, path))
      const missing: string[] = []
      for (const path of [a, b]) if (!(await isThere(path))) missing.push(path)
      const named = missing.length === 0 ? [b] : missing
      const stderr = named.map((path) => `diff: ${path}: ${reason(error)}\n`).join('')
      return { stdout: '', stderr, exitCode: 2 }
    }
  },
}

import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { SandboxEntry } from '../../../host-files/types.ts'
import { lookAtPlace } from '../mirror/sandbox/look.ts'
import { commandLines, runScript, runStep } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { quoted } from '../quoting.ts'
import { cutShort, failureOf, word } from './failures.ts'
import { statPlace } from './stat.ts'
import { checkPlaces } from './target.ts'

/** How many commands one run makes at most, so that it is far from the engine's deadline. */
const MOST_AT_ONCE = 100

/** Copies what is at `from` to `to`. The engine's `cp` follows links, and copies no permissions. */
export async function copyPlace(shell: NativeShell, from: string, to: string): Promise<Outcome<null>> {
  const checked = await checkPlaces(shell, 'copy', from, to)
  if (!checked.ok) return checked
  const { source, isNew } = checked.value
  if (source.isDirectory && !source.isLink) return copyDirectory(shell, from, to)
  const stat = await statPlace(shell, from)
  if (!stat.ok) return stat
  const lines = source.isLink
    ? await linkLines(shell, from, to)
    : [`'cp' ${word(from)} ${word(to)}`, ...(isNew ? modeLines([[to, stat.value.mode]]) : [])]
  return runLines(shell, lines, to)
}

async function copyDirectory(shell: NativeShell, from: string, to: string): Promise<Outcome<null>> {
  const root = await statPlace(shell, from)
  if (!root.ok) return root
  const path = (rel: string) => below(from, rel)
  const place = { root: path(''), isFile: false, stamp: '/dev/null', path }
  const { entries } = await lookAtPlace(
    shell,
    place,
    [],
    () => false,
    () => false,
  )
  const directories: string[] = []
  const others: string[] = []
  const modes: [path: string, mode: number][] = []
  for (const [rel, entry] of entries) {
    const target = below(to, rel)
    if (entry.kind === 'directory') directories.push(target)
    else others.push(lineOf(entry, path(rel), target))
    if (entry.kind !== 'link') modes.push([target, entry.mode])
  }
  const lines = [
    `'mkdir' ${quoted(below(to, ''))}`,
    ...directories.map((directory) => `'mkdir' ${quoted(directory)}`),
    ...others,
    // Those of directories come after what is in them: they may forbid writing.
    ...modeLines([...modes.reverse(), [below(to, ''), root.value.mode]]),
  ]
  return runLines(shell, lines, to)
}

function lineOf(entry: SandboxEntry, from: string, to: string): string {
  if (entry.kind === 'link') return `'ln' '-s' '--' ${quoted(entry.target ?? '')} ${quoted(to)}`
  return `'cp' ${quoted(from)} ${quoted(to)}`
}

/** The link is made beside its place and moved there: `ln` replaces nothing. */
async function linkLines(shell: NativeShell, from: string, to: string): Promise<string[]> {
  const target = ((await runScript(shell, [`'readlink' ${word(from)}`])) ?? cutShort()).slice(0, -1)
  const staged = `${to}.${crypto.randomUUID()}`
  return [`'ln' '-s' '--' ${quoted(target)} ${word(staged)} && 'mv' ${word(staged)} ${word(to)}`]
}

function modeLines(modes: readonly (readonly [path: string, mode: number])[]): string[] {
  return modes.flatMap(([path, mode]) => commandLines(`'chmod' '${mode.toString(8)}'`, [below(path, '')]))
}

/** The path of what is in a directory; `''` is the directory. No command takes it for an option. */
function below(directory: string, rel: string): string {
  const explicit = directory.startsWith('/') ? directory : `./${directory}`
  return rel === '' ? explicit : `${explicit === '/' ? '' : explicit}/${rel}`
}

/** Runs commands in order, and stops at the first that fails. A failure names `path`. */
async function runLines(shell: NativeShell, lines: readonly string[], path: string): Promise<Outcome<null>> {
  for (let from = 0; from < lines.length; from += MOST_AT_ONCE) {
    const steps = lines.slice(from, from + MOST_AT_ONCE).map((line) => `{ ${line}; }`)
    const text = await runStep(shell, steps.join(' && '))
    if (text !== undefined) return failureOf(shell, 'copy', path, text)
  }
  return { ok: true, value: null }
}

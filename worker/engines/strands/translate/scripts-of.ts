import type { ParsedScript } from 'unbash'
import type { NativeShell } from '../native-shell.ts'
import { quoted } from '../quoting.ts'
import { errorsOf, keyOfRun } from './constructs/run-script.ts'
import { PIPED } from './directory.ts'
import { nameOf } from './facts.ts'
import { Refusal } from './refusal.ts'
import { type Run, runsIn } from './runs.ts'
import { sessionOf } from './session.ts'
import { sessionOfOptions } from './session-facts.ts'
import { readScript, syntaxErrorOf, translate } from './translate.ts'
import type { OfScript } from './translation.ts'
import { literalOf } from './words.ts'

/** What may run a script of the sandbox, or `timeout`. */
export const RUNS = /\btimeout\b|(?:^|[\s;&|(`{"])(?:\.?\.?\/|~\/|\/|\$|(?:bash|sh|dash|source|\.)(?:\s|$))/

/** Scripts that run each other deeper than this are not read. */
const MOST_DEEP = 5

/** Where a script is run. */
export interface Origin {
  /** The scripts around it. */
  readonly paths: readonly string[]
  /** Where relative paths begin; undefined where that is the directory of the session. */
  readonly directory: string | undefined
}

/** At the command of a call. */
export const TOP: Origin = { paths: [], directory: undefined }

/** Reads what a script or text runs, and what that runs. What cannot be known now, or runs itself, is left out. */
export async function readInner(
  shell: NativeShell,
  text: string,
  origin: Origin,
  inner: Map<string, OfScript>,
): Promise<void> {
  const script = readScript(text)
  if (script === undefined || origin.paths.length > MOST_DEEP) return
  for (const run of runsOfScript(script.tree)) {
    if (run.text !== undefined) await readInner(shell, run.text, origin, inner)
    const isKnown = inner.has(keyOfRun(run))
    if (run.kind === 'source' || isKnown || literalOf(run.file) === undefined) continue
    const found = await scriptOf(shell, run, origin)
    if (found instanceof Refusal) throw found
    if (found !== undefined && found !== 'missing') inner.set(keyOfRun(run), found)
  }
}

/** The runs of scripts in a script; none where a run is refused: it is told when it is translated. */
export function runsOfScript(tree: ParsedScript): readonly Run[] {
  try {
    return runsIn(tree)
  } catch (error) {
    asRefusal(error)
    return []
  }
}

/** The translation of the script that a command runs; undefined where the engine is to say what is wrong. */
export async function scriptOf(shell: NativeShell, run: Run, origin: Origin) {
  const { file, kind, command } = run
  if (file === undefined) return undefined
  const name = literalOf(file) ?? (await wordValue(shell, file.text))
  const directory = origin.directory ?? (await shell.getEnv('PWD')) ?? '/'
  const path = name.startsWith('/') ? name : `${directory}/${name}`
  if (origin.paths.includes(path)) return undefined
  const bytes = await shell.readFile(path).catch(() => undefined)
  if (bytes === undefined) return kind === 'shell' ? 'missing' : undefined
  const text = new TextDecoder().decode(bytes)
  const [, line] = /^#!\s*(.*)/.exec(text) ?? []
  const isLua = kind === 'path' && /\blua\b/.test(line ?? '')
  if (kind === 'path' && line !== undefined && !isLua && !/\b(?:ba|da)?sh\b/.test(line)) return undefined
  if (kind === 'path' && (await shell.run(`[ -x ${quoted(path)} ]`)).status !== 0) return undefined
  if (isLua) return 'lua'
  const isOwn = kind !== 'source'
  const session = isOwn ? sessionOfOptions(run.options) : sessionOf(shell)
  const zero = name.startsWith(PIPED) ? (nameOf(command) ?? name) : name
  const inner = new Map<string, OfScript>()
  if (isOwn && RUNS.test(text))
    await readInner(shell, text, { ...origin, paths: [...origin.paths, path] }, inner)
  const translation = translate(text, {
    session,
    ...(isOwn ? { zero, inner, ...errorsOf(command) } : { isSourced: true }),
  })
  if (translation instanceof Refusal) return new Refusal(`${zero}: ${translation.message}`)
  if (translation !== undefined) return { ...translation, source: text }
  return new Refusal(`${zero}: ${syntaxErrorOf(text, session)}`)
}

/** A refusal that was thrown. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** The value of a word that only names variables. */
async function wordValue(shell: NativeShell, word: string): Promise<string> {
  return (await shell.run(`printf '%s' ${word}`)).stdout
}

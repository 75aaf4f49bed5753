import type { Command } from 'unbash'
import type { NativeOutput, NativeShell } from '../native-shell.ts'
import { isOfErrors } from './constructs/function-calls.ts'
import { Refusal, refuse } from './refusal.ts'
import { type Part, partsOf, type Run } from './runs.ts'
import { install, refusalOutput, translationOf, UNREADABLE } from './session.ts'
import { readScript, translate, translateNodes } from './translate.ts'
import type { Translated } from './translation.ts'
import { literalOf } from './words.ts'

/** Runs a text in the native shell, behind its guards. */
export type RunNative = (text: string) => Promise<NativeOutput>

/**
 * Runs a command as its translation. A command that runs scripts of the sandbox runs in parts: each script is read when
 * its turn comes, so that it may be written by the part before.
 *
 * @param mayPart - it runs in the session itself, whose state parts share.
 * @param expired - whether the command has used its time.
 */
export async function runTranslated(
  shell: NativeShell,
  command: string,
  run: RunNative,
  { mayPart, expired }: { readonly mayPart: boolean; readonly expired: () => boolean },
): Promise<NativeOutput> {
  const parts = mayPart ? await partsToRun(command) : undefined
  if (parts !== undefined) return runParts(shell, command, parts, run, expired)
  const translation = translationOf(command)
  if (translation instanceof Refusal) return refusalOutput(translation)
  if (translation === undefined) return MISREAD.test(command) ? UNREADABLE : run(command)
  await install(shell, translation)
  return run(translation.text)
}

/** Syntax that the engine takes for something else, and tests in substitutions, where no guard stands before a panic. */
const MISREAD = /\[\[|\(\(|<<|=\(|&>|<\(|\bfunction\b|(?:\$\(|`)[\s\S]*(?:\btest\b|\[\s)/

const RUNS = /(?:^|[\s;&|(`{"])(?:\.?\.?\/|~\/|\/|\$|(?:bash|sh|dash|source|\.)\s)/

function partsToRun(command: string): Part[] | undefined {
  if (!RUNS.test(command) || /\btrap\b|\bwait\b/.test(command)) return undefined
  const tree = readScript(command)
  return tree === undefined ? undefined : partsOf(tree.commands)
}

/** Set where a part came to its end. */
const ENDED = '__ssr_ended'

async function runParts(
  shell: NativeShell,
  command: string,
  parts: readonly Part[],
  run: RunNative,
  expired: () => boolean,
): Promise<NativeOutput> {
  let [stdout, stderr, status] = ['', '', 0]
  for (const part of parts) {
    if (part.joint !== ';' && (part.joint === '&&') !== (status === 0)) continue
    const translation = await translatePart(shell, command, part)
    if (translation instanceof Refusal)
      return { status: 2, stdout, stderr: stderr + refusalOutput(translation).stderr }
    if (translation === undefined) return { ...UNREADABLE, stdout, stderr: stderr + UNREADABLE.stderr }
    await install(shell, translation)
    await shell.setEnv(ENDED, '')
    const before = status === 0 || !/\$\?/.test(command) ? '' : `__ssr_status ${status} && :\n`
    const text = part.isTested
      ? `${translation.definitions}${before}{ ${translation.body}\n} && ${ENDED}=0 || ${ENDED}=$?`
      : `${translation.definitions}${before}${translation.body}\n${ENDED}=$?`
    const output = await run(text)
    stdout += output.stdout
    stderr += output.stderr
    const ended = await shell.getEnv(ENDED)
    status = ended === '' || ended == null ? output.status : Number(ended)
    if (ended === '' || expired()) return { status, stdout, stderr }
  }
  return { status, stdout, stderr }
}

async function translatePart(shell: NativeShell, command: string, part: Part) {
  const scripts = new Map<Command, Translated>()
  for (const one of part.runs) {
    const script = await scriptOf(shell, one).catch(asRefusal)
    if (script instanceof Refusal) return script
    if (script !== undefined) scripts.set(one.command, script)
  }
  return translateNodes(command, part.nodes, { scripts, inParts: true })
}

/** The translation of the script that a command runs; undefined where the engine is to say what is wrong. */
async function scriptOf(shell: NativeShell, { file, kind, command }: Run) {
  const name = literalOf(file) ?? (await wordValue(shell, file.text))
  const directory = (await shell.getEnv('PWD')) ?? '/'
  const path = name.startsWith('/') ? name : `${directory}/${name}`
  const bytes = await shell.readFile(path).catch(() => undefined)
  if (bytes === undefined) return undefined
  const text = new TextDecoder().decode(bytes)
  const [, line] = /^#!\s*(.*)/.exec(text) ?? []
  if (kind === 'path' && line !== undefined && !/\b(?:ba|da)?sh\b/.test(line)) return undefined
  if (kind === 'path' && (await shell.run(`[ -x '${path.replaceAll("'", `'\\''`)}' ]`)).status !== 0)
    return undefined
  const translation = translate(text, kind === 'source' ? {} : { zero: name, ...errorsOf(command) })
  return translation instanceof Refusal ? new Refusal(`${name}: ${translation.message}`) : translation
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** The value of a word that only names variables. */
async function wordValue(shell: NativeShell, word: string): Promise<string> {
  return (await shell.run(`printf '%s' ${word}`)).stdout
}

/** Where the messages of a script go, as a redirection of each command in it. */
function errorsOf({ redirects }: Command): { readonly errors?: string } {
  const one = redirects.find(isOfErrors)
  if (one?.type !== 'Redirect') return {}
  if (one.descriptor === undefined || (one.operator === '>&' && one.target?.text === '1'))
    return { errors: '2>&1' }
  if (one.target?.text === '/dev/null') return { errors: '2>/dev/null' }
  return refuse('standard error of a script in a file', 'redirect it in the script')
}

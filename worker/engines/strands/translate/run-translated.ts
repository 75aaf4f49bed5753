import type { Command, ParsedScript, SyntaxNode } from 'unbash'
import { SYNTAX_MESSAGE } from '../../../../src/contract/syntax-message.ts'
import type { NativeOutput, NativeShell } from '../native-shell.ts'
import { RecentOfSession } from './lru.ts'
import { Refusal } from './refusal.ts'
import { type Part, partsOf } from './runs.ts'
import { asRefusal, RUNS, readInner, runsOfScript, scriptOf, TOP } from './scripts-of.ts'
import { install, refused, remember, runInstalled, sessionOf, translationOf, withRefusal } from './session.ts'
import { readScript, syntaxErrorOf, translate, translateNodes } from './translate.ts'
import type { OfScript, SessionFacts, Translation } from './translation.ts'
import { some } from './walk.ts'
import { literalOf } from './words.ts'

/** Runs a text in the native shell as it is. */
export type RunNative = (text: string) => Promise<NativeOutput>

/** How a command runs. */
interface Conditions {
  /** What it changes stays in the session. */
  readonly lasts: boolean
  /** It has a standard input. */
  readonly input: boolean
  /** Where it runs; undefined where that is the directory of the session. */
  readonly directory: string | undefined
  /** Whether the command has used its time. */
  expired(): boolean
}

/**
 * Runs a command as its translation. A command that runs scripts of the sandbox runs in parts: each script is read when
 * its turn comes, so that it may be written by the part before.
 */
export async function runTranslated(
  shell: NativeShell,
  command: string,
  run: RunNative,
  { lasts, input, directory, expired }: Conditions,
): Promise<NativeOutput> {
  // Each part would read the input from its beginning, and parts share the session's state.
  const found = lasts && !input ? partsToRun(command, sessionOf(shell)) : undefined
  if (found instanceof Refusal) return refused(found.message)
  if (found !== undefined) return runParts(shell, found, run, expired)
  const translation = RUNS.test(command)
    ? await translateWhole(shell, command, { input, directory }).catch(asRefusal)
    : translationOf(shell, command, input)
  if (translation instanceof Refusal) return refused(translation.message)
  if (translation === undefined) {
    const session = sessionOf(shell)
    const failed = refused(syntaxErrorOf(command, session))
    const before = readableLines(command, session)
    if (before === undefined) return failed
    const { stdout, stderr } = await runTranslated(shell, before, run, { lasts, input, directory, expired })
    return { ...failed, stdout, stderr: stderr + failed.stderr }
  }
  const failure = await install(shell, translation)
  if (failure !== undefined) return refused(failure.message)
  if (lasts) remember(shell, translation)
  return runInstalled(shell, translation.text, run)
}

/** What may end a shell before it comes to a line that cannot be read. */
const ENDS = /\b(?:eval|exec|exit|return|set|source|trap)\b|(?:^|[\s;&|])\.\s|\$\{[^}]*\?/
/** How many lines are left out at most, to find those before. */
const MOST_LINES = 100

/** The lines before one that cannot be read. A shell runs them: it reads a command when the one before has ended. */
function readableLines(command: string, session: SessionFacts): string | undefined {
  if (ENDS.test(command)) return undefined
  let end = command.length
  for (let tries = 0; tries < MOST_LINES; tries++) {
    end = command.lastIndexOf('\n', end - 1)
    if (end <= 0) return undefined
    const before = command.slice(0, end)
    if (readScript(before, session) !== undefined) return before.trim() === '' ? undefined : before
  }
  return undefined
}

/** A command in parts, as the session was when it was read. */
interface Parts {
  readonly source: string
  readonly session: SessionFacts
  readonly parts: readonly ReadPart[]
}

/** A part, and its translation while nothing is known of the scripts that it runs. */
interface ReadPart {
  readonly part: Part
  readonly translation: Exclude<Translation, Refusal>
}

const partsOfCommands = new RecentOfSession<Parts | Refusal | undefined>(100, 20_000)

function partsToRun(command: string, session: SessionFacts): Parts | Refusal | undefined {
  if (!RUNS.test(command)) return undefined
  return partsOfCommands.get(session, command, () => readParts(command, session))
}

function readParts(command: string, session: SessionFacts): Parts | Refusal | undefined {
  const script = readScript(command, session)
  const parts =
    script === undefined || script.tree.commands.some(needsOneShell) ? undefined : partsIn(script.tree)
  if (script === undefined || parts === undefined) return undefined
  const { source } = script
  const read: ReadPart[] = []
  // Where a part is refused, none runs. What the scripts are is not known yet.
  for (const part of parts) {
    const translation = translateNodes(source, part.nodes, { session, inParts: true })
    if (translation instanceof Refusal) return translation
    read.push({ part, translation })
  }
  return { source, session, parts: read }
}

/** Translates a command that runs in one piece: scripts that it runs are read before it begins. */
async function translateWhole(
  shell: NativeShell,
  command: string,
  { input, directory }: Pick<Conditions, 'input' | 'directory'>,
): Promise<Translation> {
  const script = readScript(command, sessionOf(shell))
  if (script === undefined || runsOfScript(script.tree).length === 0)
    return translationOf(shell, command, input)
  const inner = new Map<string, OfScript>()
  await readInner(shell, command, { paths: [], directory }, inner)
  return translate(command, { session: sessionOf(shell), input, inner })
}

/** What a trap shall run, and the jobs that `wait` waits for, are of one part. */
const needsOneShell = (statement: SyntaxNode): boolean =>
  some(statement, ({ node }) => node.type === 'Command' && /^(?:trap|wait)$/.test(literalOf(node.name) ?? ''))

/** A command that is refused runs in no part. */
function partsIn(tree: ParsedScript): Part[] | undefined {
  try {
    return partsOf(tree.commands)
  } catch (error) {
    asRefusal(error)
    return undefined
  }
}

/** Set where a part came to its end. */
const ENDED = '__ssr_ended'

async function runParts(
  shell: NativeShell,
  command: Parts,
  run: RunNative,
  expired: () => boolean,
): Promise<NativeOutput> {
  let [stdout, stderr, status] = ['', '', 0]
  const after = (last: NativeOutput): NativeOutput => ({ ...last, stdout, stderr: stderr + last.stderr })
  for (const read of command.parts) {
    const { part } = read
    if (part.joint !== ';' && (part.joint === '&&') !== (status === 0)) continue
    const translation = await translatePart(shell, command, read)
    if (translation instanceof Refusal) return after(refused(translation.message))
    if (translation === undefined) return after(refused(SYNTAX_MESSAGE))
    const failure = await install(shell, translation)
    if (failure !== undefined) return after(refused(failure.message))
    remember(shell, translation)
    await shell.setEnv(ENDED, '')
    const before = status === 0 || !/\$\?/.test(command.source) ? '' : `__ssr_status ${status} && :\n`
    const text = part.isTested
      ? `${translation.definitions}${before}if ${translation.body}\nthen ${ENDED}=0; else ${ENDED}=$?; fi`
      : `${translation.definitions}${before}${translation.body}\n${ENDED}=$?`
    const output = await runInstalled(shell, text, run)
    stdout += output.stdout
    stderr += output.stderr
    const ended = await shell.getEnv(ENDED)
    status = ended === '' || ended == null ? output.status : Number(ended)
    if (ended === '' || expired()) break
  }
  return withRefusal({ status, stdout, stderr })
}

async function translatePart(shell: NativeShell, command: Parts, { part, translation }: ReadPart) {
  const session = sessionOf(shell)
  if (part.runs.length === 0 && session === command.session) return translation
  const scripts = new Map<Command, OfScript>()
  for (const one of part.runs) {
    const script = await scriptOf(shell, one, TOP).catch(asRefusal)
    if (script instanceof Refusal) return script
    if (script !== undefined) scripts.set(one.command, script)
  }
  const inner = new Map<string, OfScript>()
  for (const { text } of part.runs)
    if (text !== undefined) {
      const refusal = await readInner(shell, text, TOP, inner).catch(asRefusal)
      if (refusal instanceof Refusal) return refusal
    }
  return translateNodes(command.source, part.nodes, { scripts, inner, inParts: true, session })
}

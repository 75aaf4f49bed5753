import type { NativeOutput, NativeShell } from '../native-shell.ts'
import { MESSAGES, PIPED, REFUSALS, TRANSLATION_DIRECTORY } from './directory.ts'
import { knownFunctions } from './known-functions.ts'
import { RecentOfSession } from './lru.ts'
import { Refusal } from './refusal.ts'
import { NEW_SESSION } from './session-facts.ts'
import { syntaxErrorOf, translate } from './translate.ts'
import type { SessionFacts, Translated, Translation } from './translation.ts'

/** What is there in a session, by its shell: paths of files, and the helpers. */
const installed = new WeakMap<NativeShell, Set<string>>()
/** What is known of a session; nothing of a new one. */
const sessions = new WeakMap<NativeShell, SessionFacts>()
const translations = new RecentOfSession<Translation>(500, 20_000)

/** What is known of a session. */
export function sessionOf(shell: NativeShell): SessionFacts {
  return sessions.get(shell) ?? NEW_SESSION
}

/** Keeps what a session has after a command. */
export function remember(shell: NativeShell, translated: Translated): void {
  const { session } = translated
  knownFunctions(shell).see(translated)
  if (session !== sessionOf(shell)) sessions.set(shell, session)
}

/** A session has this from before. */
export function setSession(shell: NativeShell, session: SessionFacts): void {
  sessions.set(shell, session)
}

/**
 * The translation of a command, from memory where it was run before.
 *
 * @param input - it has a standard input.
 */
export function translationOf(shell: NativeShell, command: string, input = false): Translation {
  const session = sessionOf(shell)
  if (input) return translate(command, { session, input })
  return translations.get(session, command, (text) => translate(text, { session }))
}

/** What a command answers that is refused, or cannot be read: the engine would take it for something else. */
export function refused(message: string): NativeOutput {
  return { status: 2, stdout: '', stderr: `strands-shell: ${message}\n` }
}

/** Brings what a translation needs into the session. @returns why it cannot be there */
export async function install(
  shell: NativeShell,
  { files }: Pick<Translated, 'files'>,
): Promise<Refusal | undefined> {
  const there = installed.get(shell) ?? new Set()
  installed.set(shell, there)
  for (const [path, content] of files) {
    if (there.has(path)) continue
    const bytes = new TextEncoder().encode(content)
    const failure: unknown = await shell.writeFile(path, bytes).catch((error: unknown) => error)
    if (failure instanceof Error && failure.message.startsWith('EFBIG')) return tooSmall(bytes.length)
    if (failure !== undefined) throw failure
    there.add(path)
  }
  return undefined
}

function tooSmall(bytes: number): Refusal {
  return new Refusal(
    `this command needs a file of ${bytes} bytes: raise limits.maxFileSize, or use a BashSandbox`,
  )
}

/** What has to go; programs, and the files of messages and of scripts that commands print, are used again. */
const LEAVES = new RegExp(`(?!${MESSAGES}|${PIPED})${TRANSLATION_DIRECTORY}/(?!bin/)`)

const DEFINED = /^__ssr_[a-z]+_[0-9a-f]{10}_\w+(?=\(\) \{)/gm
/** Functions of earlier commands that nothing calls any more. The engine slows down with each. */
const unused = new WeakMap<NativeShell, string[]>()
/** As many slow no command down that could be measured. */
const MOST_UNUSED = 100

/** Removes such functions first, where they are many and the text has some of its own and does not ask for the status before. */
function withoutUnused(shell: NativeShell, text: string): string {
  const defined = text.match(DEFINED)
  if (defined === null) return text
  const old = unused.get(shell) ?? []
  if (sessionOf(shell).functions.size > 0) {
    unused.delete(shell)
    return text
  }
  const removes = old.length > MOST_UNUSED && !text.startsWith('__ssr_before=')
  unused.set(shell, removes ? defined : [...old, ...defined])
  return removes ? `unset -f ${[...new Set(old)].join(' ')} && :\n${text}` : text
}

/** What a program says of an option or a value that it refuses. */
const REFUSED =
  /^(?:(?:strands-shell|[a-z_][a-z0-9_-]*): .* is not available here(?:: .*)?|strands-shell: [a-z]+: (?:invalid option '.*|stream did not contain valid UTF-8)|find: unknown predicate: '.*)$/m

/** A command in which a program was refused has a status other than 0, whatever the script made of that. */
export function withRefusal(output: NativeOutput): NativeOutput {
  return output.status === 0 && output.stderr !== '' && REFUSED.test(output.stderr)
    ? { ...output, status: 2 }
    : output
}

/** What sends messages elsewhere; those of a program that `find` runs are lost. */
const HIDES = /2>|&>|-exec /

/** What a program has refused where its message was thrown away: the command tells it with status 2. */
async function withHidden(shell: NativeShell, text: string, output: NativeOutput): Promise<NativeOutput> {
  const mayHide = text.includes(`${TRANSLATION_DIRECTORY}/`) && (HIDES.test(text) || LEAVES.test(text))
  if (!mayHide && sessionOf(shell).functions.size === 0 && !REFUSED.test(output.stderr)) return output
  const bytes = await shell.readFile(REFUSALS).catch(() => undefined)
  if (bytes === undefined) return output
  await shell.removeFile(REFUSALS)
  const told = new TextDecoder().decode(bytes)
  return { ...output, status: 2, stderr: output.stderr.includes(told) ? output.stderr : output.stderr + told }
}

const LEAVES_JOBS = /__ssr_within|(?<![&>|\\])&(?![&>\d]| wait \$!)/

/** Runs a translation, and removes what it leaves: all files but those that functions of the session read. */
export async function runInstalled(
  shell: NativeShell,
  text: string,
  run: (text: string) => Promise<NativeOutput>,
): Promise<NativeOutput> {
  const output = await withHidden(shell, text, withRefusal(await run(withoutUnused(shell, text))))
  // The run has ended its jobs, and the engine still counts them.
  if (LEAVES_JOBS.test(text)) await shell.run('wait')
  const hasFunctions = sessionOf(shell).functions.size > 0
  if (!hasFunctions && !LEAVES.test(text)) return output
  const there = installed.get(shell)
  // A command may have removed the directory: then nothing is left there.
  const entries = await shell.listFiles(TRANSLATION_DIRECTORY).catch(() => [])
  for (const { name, isDir } of entries) {
    const path = `${TRANSLATION_DIRECTORY}/${name}`
    if (isDir || path.startsWith(PIPED) || (hasFunctions && there?.has(path) === true)) continue
    await shell.removeFile(path)
    there?.delete(path)
  }
  return output
}

/** Translates source code that is staged in a file. */
export async function translateCode(
  shell: NativeShell,
  code: string,
  input: boolean,
): Promise<string | NativeOutput> {
  const translation = translationOf(shell, code, input)
  if (translation instanceof Refusal) return refused(translation.message)
  if (translation === undefined) return refused(syntaxErrorOf(code, sessionOf(shell)))
  const failure = await install(shell, translation)
  return failure === undefined ? translation.text : refused(failure.message)
}

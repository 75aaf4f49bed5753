import type { Command } from 'unbash'
import { quoted } from '../../quoting.ts'
import { PIPED } from '../directory.ts'
import { nameOf } from '../facts.ts'
import { isShell } from '../program-paths.ts'
import { Refusal, refuse } from '../refusal.ts'
import { type Run, runOf } from '../runs.ts'
import { sessionOfOptions } from '../session-facts.ts'
import type { OfScript, Translated } from '../translation.ts'
import { isStage, type Place } from '../walk.ts'
import { literalOf } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { isOfErrors } from './function-calls.ts'
import { withNames } from './pathnames.ts'
import { intoFile } from './redirected-output.ts'

/** A command that runs a script runs its translation in a shell of its own. */
export const runScript: Rule<'Command'> = (node, work, place) => {
  const run = runOf(node)
  if (run === undefined) return refuseInput(node, work)
  const known = run.text === undefined ? work.options.scripts?.get(node) : ofText(run, work)
  const script = known ?? innerOf(run, work)
  if (script === undefined && run.file?.text.startsWith(PIPED) === true && work.options.inParts !== true)
    refusePiped()
  if (script === undefined) return refuseUnread(run, work)
  if (node.name === undefined) return
  if (script === 'lua') {
    work.script.insert(node.name.pos, 'lua ')
    return
  }
  if (script === 'missing') {
    const call = `__ssr_missing_${work.mark}_${work.next()}`
    work.hoist(`${call}() { printf '%s: %s: No such file or directory\\n' "$@" >&2; return 127; }`)
    work.script.replace(
      node,
      `${call} ${work.script.text(node.name)} ${run.file === undefined ? '' : work.script.text(run.file)}`,
    )
    return
  }
  const path = work.file(script.text)
  work.add(script.files)
  if (run.kind === 'source') {
    if (run.file !== undefined) work.script.replace(run.file, path)
    return
  }
  callOf(run, path, script.reads, work, place, known === undefined ? guardOf(run, script, work) : '')
}

/** What a script or a text inside the command runs, as it was when the command began. */
function innerOf(run: Run, { options }: Work): OfScript | undefined {
  return run.kind === 'source' ? undefined : options.inner?.get(keyOfRun(run))
}

/** Tells runs of a script apart that are translated in another way. */
export function keyOfRun({ kind, options, file, command }: Run): string {
  return [kind, ...options, errorsOf(command).errors ?? '', file?.text ?? ''].join('\0')
}

/** Looks whether a script still is what was read, and leaves the shell of its own where it is not. */
function guardOf({ kind, file }: Run, { source = '' }: Translated, { program, file: fileOf }: Work): string {
  const looks = `${program('__script')} ${kind} ${quoted(literalOf(file) ?? '')} ${fileOf(source)}`
  // A program takes the input of those behind it, unless its group has another one.
  return `{ ${looks}; } < /dev/null || exit $?; `
}

/** A script inside a script or text of which nothing was known: if it is there, it is refused when it is to run. */
function refuseUnread({ command, kind, file }: Run, { options, script, program }: Work): void {
  // The engine tells what is wrong with a part's own.
  const isPart = options.zero === undefined && options.inParts === true
  if (options.inner === undefined || isPart || kind === 'source' || file === undefined) return
  script.replace(
    { pos: command.name?.pos ?? command.pos, end: file.end },
    `${program('__script')} ${kind} ${script.text(file)} ''`,
  )
}

/** A shell without a script reads one from its input: the engine's own runs nothing. */
function refuseInput(node: Command, { facts }: Work): void {
  const name = nameOf(node)
  if (!isShell(name) || facts.functions.has(name ?? '')) return
  if (!node.args.some(({ text }) => /^--(?:version|help)$/.test(text))) refusePiped()
}

function refusePiped(): never {
  return refuse('a script from an input here', 'write it to a file first: … > FILE; sh FILE')
}

/** The translation of a script that stands in the command. */
function ofText(run: Run, { translate, options }: Work): Translated {
  const translation = translate(run.text ?? '', {
    zero: run.zero,
    session: sessionOfOptions(run.options),
    ...(options.inner === undefined ? {} : { inner: options.inner }),
    ...errorsOf(run.command),
  })
  if (translation instanceof Refusal) throw translation
  return translation ?? refuse('a script with a syntax error', 'look for a quote, bracket or keyword')
}

function callOf(
  { command, args, options, text: own }: Run,
  path: string,
  reads: boolean,
  work: Work,
  place: Place,
  guard: string,
) {
  const { script } = work
  const name = `__ssr_run_${work.mark}_${work.next()}`
  const sets = options.map((option) => (option.endsWith('o pipefail') ? pipefail(option) : `set ${option}; `))
  work.hoist(`${name}() { ${guard}set +eu; __ssr_pipefail=; ${sets.join('')}. ${path}; }`)
  const exported = command.prefix.map((one) =>
    one.type === 'Assignment' ? `export ${script.text(one)}; ` : '',
  )
  const redirects = command.redirects.filter(
    (one) =>
      (own === undefined || one.type !== 'HereDoc') &&
      (!isOfErrors(one) || (one.type === 'Redirect' && one.descriptor === undefined)),
  )
  const text = `${exported.join('')}${[name, ...args.map((arg) => script.text(arg))].join(' ')}`
  if (redirects.length > 0 || (reads && !isStage(place))) {
    const inputs = redirects.map((one) => script.text(one).replace(/ 2>&1$/, ''))
    intoFile(
      command,
      { text: withNames(text, work), command, redirects, inputs, isShell: true, reads },
      work,
      place,
    )
  } else if (isStage(place)) {
    script.compounded.add(command)
    script.replace(command, text)
  } else {
    const call = `__ssr_sub_${work.mark}_${work.next()}`
    work.hoist(`${call}() { ( ${withNames(text, work)} ); }`)
    script.replace(command, `${call} "$@"`)
  }
}

function pipefail(option: string): string {
  return `__ssr_pipefail=${option.startsWith('-') ? '1' : ''}; `
}

/** Where the messages of a script go, as a redirection of each command in it. */
export function errorsOf({ redirects }: Command): { readonly errors?: string } {
  const one = redirects.find(isOfErrors)
  if (one?.type !== 'Redirect') return {}
  if (one.descriptor === undefined || (one.operator === '>&' && one.target?.text === '1'))
    return { errors: '2>&1' }
  if (one.target?.text === '/dev/null') return { errors: '2>/dev/null' }
  return refuse('standard error of a script in a file', 'redirect it in the script')
}

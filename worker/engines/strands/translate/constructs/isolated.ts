import { ASKS_STATUS } from '../asks-status.ts'
import { functionText } from '../function-text.ts'
import type { Work } from '../work.ts'

/** Redirections of the standard input and output of commands; those around them where they are left out. */
export interface Streams {
  readonly input?: string | undefined
  readonly output?: string | undefined
  /** A file that is there when they have ended. */
  readonly done?: string
}

/** Commands that run in a shell of their own, in a place that {@link frame} has made. */
export interface Isolated {
  /** Runs them to their end. */
  readonly run: string
  /** Begins to run them. */
  readonly start: string
  /** Their status, as a word. */
  readonly status: string
  /** Takes over the variables that were asked for. */
  readonly take: string
}

/** What makes paths differ between calls that run at the same time: the depth of calls, and the background job. */
const APART = `\${__ssr_at-}\${__ssr_job-}`

/** A path for a file that each call has for itself, as a word. */
export function ownPath(work: Work): string {
  return `"${work.scratch()}${APART}"`
}

/**
 * Puts the standard input into a file, and fails where it does not fit. What `cat` of the engine gets in one piece of more than
 * 1 MiB is written after it has ended: out of another `cat`, which reads a pipe, come smaller pieces.
 */
export function stored(path: string, operator = '>'): string {
  return `'cat' 2> /dev/null | 'cat' 2> /dev/null | 'cat' ${operator} ${path}`
}

/** The same in a function, which ends where it does not fit. */
export function storedOrReturn(path: string, operator?: string): string {
  return `${stored(path, operator)} || return 1`
}

/** Has a function keep its standard input in a file of its own. @returns what reads it from there */
export function keptInput(lines: string[], work: Work): string {
  const path = ownPath(work)
  lines.push(storedOrReturn(path))
  return `< ${path}`
}

/**
 * Runs commands in a shell of their own. The engine's own ways lose something each: a stage of a pipeline its messages and
 * status, a subshell its input, a group with `>` the status of the commands in it. A background job whose group calls a
 * function loses nothing but the status, which is in a file.
 *
 * @param body - the commands. What they change stays with them.
 * @param names - variables whose values are to be taken over.
 */
export function isolated(
  body: string,
  streams: Streams,
  work: Work,
  names: readonly string[] = [],
): Isolated {
  const number = work.next()
  const [inner, outer] = [`__ssr_own_${work.mark}_${number}`, `__ssr_job_${work.mark}_${number}`]
  const status = ownPath(work)
  const value = (name: string) => `${status.slice(0, -1)}.${name}"`
  const before = ASKS_STATUS.test(work.script.source) ? ['__ssr_status "$__ssr_before" && :'] : []
  work.hoist(functionText(inner, [...before, body]))
  const keep = names.map(
    (name) =>
      `case "\${${name}+x}" in x) printf '%s.' "$${name}" > ${value(name)} ;; *) : > ${value(name)} ;; esac`,
  )
  const told = `printf '%s' "$__ssr_code" > ${status}`
  work.hoist(functionText(outer, [`${inner} "$@" && __ssr_code=0 || __ssr_code=$?`, ...keep, told]))
  const redirections = [streams.input, streams.output].filter((one) => one !== undefined).join(' ')
  const after = streams.done === undefined ? '' : ` && :; printf '%s' '1' > ${streams.done}`
  const job = `{ { ${outer} "$@"; } ${redirections}${after}; } &`
  return {
    run: `printf '%s' '1' > ${status}; ${job} wait $!`,
    start: `printf '%s' '1' > ${status}; ${job}`,
    status: `"$('cat' ${status})"`,
    take: names
      .map(
        (name) =>
          `__ssr_value=$('cat' ${value(name)}); case "$__ssr_value" in ?*) ${name}=\${__ssr_value%.} ;; esac; `,
      )
      .join(''),
  }
}

/** Sets a variable to a path that is the same behind a `cd`: the engine opens a file again for each command. */
export function absolute(name: string, path: string): readonly [sets: string, settles: string] {
  return [`${name}=${path}`, `case "$${name}" in /*|'') ;; *) ${name}="$PWD/$${name}" ;; esac`]
}

/** A function in which isolated commands can run. @returns its call */
export function frame(lines: readonly string[], work: Work): string {
  const name = `__ssr_frame_${work.mark}_${work.next()}`
  const place = ['local __ssr_before="$?"', `local __ssr_at="x\${__ssr_at-}"`]
  work.hoist(functionText(name, [...place, ...lines]))
  return `${name} "$@"`
}

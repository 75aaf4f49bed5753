import type { Statement } from 'unbash'
import { nameOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import { stateOf } from '../state.ts'
import { LIMITED, secondsOf } from '../timeouts.ts'
import { type Place, some } from '../walk.ts'
import { literalOf } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { asFunction } from './as-function.ts'
import { frame, isolated, ownPath, storedOrReturn } from './isolated.ts'
import { ownInput } from './shared-input.ts'

/**
 * A command with a time limit runs as a background job, and is looked for until the time is over. Only the end of a run of
 * the engine ends a job: where something else runs after it, the command is waited for, and a line says so.
 */
export const limited: Rule<'BraceGroup'> = (node, work, place) => {
  const [mark, timed] = node.body.commands
  if (timed === undefined || mark?.command.type !== 'Command' || nameOf(mark.command) !== LIMITED) return
  const [limit = '', status = ''] = mark.command.args.map((arg) => work.script.text(arg))
  const seconds = Number(limit)
  const lines = napping(timed, seconds, status) ?? underWatch(timed, limit, status, work, place)
  work.script.replace(node, frame(lines, work))
  ownInput(node, work, place)
  asFunction(node, work)
}

/** `sleep` with its own end or that of the limit. */
function napping({ command }: Statement, limit: number, status: string): string[] | undefined {
  if (command.type !== 'Command' || nameOf(command) !== 'sleep' || Number.isNaN(limit)) return undefined
  const [word, ...others] = command.args
  const seconds = secondsOf(literalOf(word?.type === 'Word' ? word : undefined) ?? '')
  if (seconds === undefined || others.length + command.redirects.length > 0) return undefined
  return seconds <= limit ? [`sleep ${seconds}`] : [`sleep ${limit}`, `return ${status}`]
}

function underWatch(timed: Statement, limit: string, status: string, work: Work, place: Place): string[] {
  refuseExpansions(timed, work)
  const { script, inputs } = work
  const [output, done] = [ownPath(work), ownPath(work)]
  const isRead = inputs.reads(timed) && inputs.isThere(place, work.input)
  const input = isRead ? ownPath(work) : undefined
  const streams = {
    ...(input === undefined ? {} : { input: `< ${input}` }),
    output: `> ${output}`,
    done,
  }
  const job = isolated(script.text(timed.command), streams, work)
  const time = Number.isNaN(Number(limit)) ? `"$(__ssr_duration ${limit})"` : Math.ceil(Number(limit) * 1000)
  const says = (text: string) => `printf 'strands-shell: timeout: %s\\n' '${text}' >&2`
  return [
    ...(input === undefined ? [] : [storedOrReturn(input)]),
    `local __ssr_limit=${time}`,
    'case "$__ssr_limit" in ?*) ;; *) return 125 ;; esac',
    `: > ${done}`,
    `local __ssr_from="$(lua -e 'io.write(os.time())')"`,
    job.start,
    'case $? in 0) ;; *) return 125 ;; esac',
    `if __ssr_within ${done} "$__ssr_limit" "$__ssr_from"; then wait $!; 'cat' ${output}; return ${job.status}; fi`,
    ...(work.options.inParts === true && isLast(place)
      ? [says('the command was ended: what it had printed is lost')]
      : ['wait $!', `'cat' ${output}`, says('the command could not be ended here, and ran to its end')]),
    `return ${status}`,
  ]
}

/** Whether nothing runs after a place. */
function isLast({ outer }: Place): boolean {
  if (outer === undefined) return true
  return outer.node.type === 'Statement' && outer.node.background !== true && outer.outer === undefined
}

/** What a shell computes before the command begins is not part of its time, and stays. */
function refuseExpansions(timed: Statement, { facts }: Work): void {
  if (stateOf(timed, facts).names.size > 0 || some(timed, ({ node }) => node.type === 'CommandExpansion'))
    refuse(
      'timeout of a command with $( ) or an assignment in its words',
      'use a variable that was set before it',
    )
}

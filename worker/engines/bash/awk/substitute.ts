import { type Code, lift1, lift2, list } from './code.ts'
import type { Compiler } from './compiler.ts'
import { AwkError } from './error.ts'
import type { Machine } from './machine.ts'
import type { Expression, Target } from './nodes.ts'
import { isTarget } from './parse-expression.ts'
import type { Value } from './values.ts'

const RECORD: Target = { type: 'field', index: { type: 'number', value: 0 } }

/** `sub`, `gsub` and `gensub`. */
export function substitution(
  name: 'sub' | 'gsub' | 'gensub',
  args: readonly Expression[],
  compiler: Compiler,
): Code<Value> {
  if (name === 'gensub') return gensub(args, compiler)
  const [pattern, replacement, given] = args
  if (pattern === undefined || replacement === undefined)
    throw new AwkError(`${name}: two or three arguments are expected`)
  const words = list([compiler.pattern(pattern), compiler.text(replacement)])
  const which = name === 'gsub' ? 'all' : 1
  const of = given?.type === 'group' ? given.inner : (given ?? RECORD)
  if (!isTarget(of))
    return lift2(
      words,
      compiler.text(of),
      ({ machine }, [source = '', text = ''], subject) =>
        replace(machine, subject, source, text, which, false).count,
    )
  return compiler.store(of, words, ({ machine }, old, [source = '', text = '']) => {
    const before = old()
    const { text: after, count } = replace(machine, machine.text(before), source, text, which, false)
    return { kept: count === 0 ? before : after, given: count }
  })
}

function gensub([pattern, replacement, how, given]: readonly Expression[], compiler: Compiler): Code<Value> {
  if (pattern === undefined || replacement === undefined || how === undefined)
    throw new AwkError('gensub: three or four arguments are expected')
  const subject: Code<string> =
    given === undefined ? { run: ({ machine }) => machine.record } : compiler.text(given)
  const words = list([compiler.pattern(pattern), compiler.text(replacement), compiler.text(how), subject])
  return lift1(
    words,
    ({ machine }, [source = '', text = '', which = '', of = '']) =>
      replace(
        machine,
        of,
        source,
        text,
        /^[gG]/.test(which) ? 'all' : Math.max(1, Math.trunc(Number(which)) || 1),
        true,
      ).text,
  )
}

function replace(
  machine: Machine,
  subject: string,
  source: string,
  replacement: string,
  which: number | 'all',
  groups: boolean,
): { text: string; count: number } {
  const regex = machine.regex(source)
  let result = ''
  let from = 0
  let seen = 0
  let count = 0
  let end = -1
  for (const match of subject.matchAll(regex)) {
    // An empty match right after a match is none.
    if (match[0] === '' && match.index === end) continue
    seen += 1
    machine.step()
    end = match.index + match[0].length
    if (which !== 'all' && seen !== which) continue
    result = machine.bounded(result + subject.slice(from, match.index) + expand(replacement, match, groups))
    from = end
    count += 1
    if (which !== 'all') break
  }
  return { text: machine.bounded(result + subject.slice(from)), count }
}

/** `&` is what matched, `\\&` a sign; `\\1` of gensub a group. */
function expand(replacement: string, match: RegExpExecArray, groups: boolean): string {
  if (!/[&\\]/.test(replacement)) return replacement
  return replacement.replaceAll(/\\(.)|&/gs, (piece: string, letter: string | undefined) => {
    if (letter === undefined) return match[0]
    if (letter === '&' || letter === '\\') return letter
    if (groups && /\d/.test(letter)) return match[Number(letter)] ?? ''
    return piece
  })
}

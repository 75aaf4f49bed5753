import { nameOfSignal, signalOf, signalTable } from '../session/signals.ts'
import { quoted } from '../text/quoted.ts'
import { done, failed, type OwnCommand } from './command.ts'

const OTHERS: ReadonlySet<string> = new Set(['EXIT', 'ERR', 'DEBUG', 'RETURN'])

/** @returns undefined where there is no such signal */
function conditionOf(word: string): string | undefined {
  if (word === '0') return 'EXIT'
  const name = word.toUpperCase()
  return OTHERS.has(name) ? name : nameOfSignal(signalOf(word) ?? 0)
}

/** `trap text EXIT`, `ERR` or a signal, which `kill` sends. */
export const trap: OwnCommand = {
  name: 'trap',
  run(args, _context, { current }) {
    const traps = current?.traps
    if (traps === undefined) return done()
    const words = args[0] === '--' ? args.slice(1) : args
    const [text, ...conditions] = words
    if (text === undefined || text === '-p') {
      const shown =
        conditions.length === 0 ? [...traps.keys()] : conditions.flatMap((word) => conditionOf(word) ?? [])
      return done(
        shown
          .filter((name) => traps.has(name))
          .map((name) => `trap -- ${quoted(traps.get(name) ?? '')} ${label(name)}\n`)
          .join(''),
      )
    }
    if (text === '-l') return done(signalTable())
    if (conditions.length === 0) {
      const condition = /^\d+$/.test(text) ? conditionOf(text) : undefined
      if (condition === undefined) return failed('bash', 'trap: usage: trap [-lp] [[arg] signal_spec ...]', 2)
      traps.delete(condition)
      return done()
    }
    for (const word of conditions) {
      const condition = conditionOf(word)
      if (condition === undefined) return failed('bash', `trap: ${word}: invalid signal specification`)
      if (condition === 'DEBUG' || condition === 'RETURN')
        return failed('bash', `trap: ${condition}: this shell has no such trap`)
      if (text === '-') traps.delete(condition)
      else traps.set(condition, text)
    }
    return done()
  },
}

function label(condition: string): string {
  return OTHERS.has(condition) ? condition : `SIG${condition}`
}

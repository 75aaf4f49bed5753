import { quoted } from '../text/quoted.ts'
import { done, failed, type OwnCommand } from './command.ts'

const NUMBERS: Readonly<Record<string, string>> = { 0: 'EXIT', 1: 'HUP', 2: 'INT', 3: 'QUIT', 15: 'TERM' }

function conditionOf(word: string): string {
  const name = word.toUpperCase().replace(/^SIG/, '')
  return NUMBERS[name] ?? name
}

/** `trap text EXIT`. What names a signal is kept and printed, and never runs: none is sent here. */
export const trap: OwnCommand = {
  name: 'trap',
  run(args, _context, { current }) {
    const traps = current?.traps
    if (traps === undefined) return done()
    const words = args[0] === '--' ? args.slice(1) : args
    const [text, ...conditions] = words
    if (text === undefined || text === '-p') {
      const shown = conditions.length === 0 ? [...traps.keys()] : conditions.map(conditionOf)
      return done(
        shown
          .filter((name) => traps.has(name))
          .map((name) => `trap -- ${quoted(traps.get(name) ?? '')} ${label(name)}\n`)
          .join(''),
      )
    }
    if (text === '-l') return done(' 1) SIGHUP\t 2) SIGINT\t 3) SIGQUIT\t 9) SIGKILL\t15) SIGTERM\n')
    if (conditions.length === 0) {
      if (!/^\d+$/.test(text)) return failed('bash', 'trap: usage: trap [-lp] [[arg] signal_spec ...]', 2)
      traps.delete(conditionOf(text))
      return done()
    }
    for (const condition of conditions.map(conditionOf)) {
      if (condition === 'ERR' || condition === 'DEBUG' || condition === 'RETURN')
        return failed('bash', `trap: ${condition}: this shell has no such trap`)
      if (text === '-') traps.delete(condition)
      else traps.set(condition, text)
    }
    return done()
  },
}

function label(condition: string): string {
  return condition === 'EXIT' ? condition : `SIG${condition}`
}

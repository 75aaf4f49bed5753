import { LONGEST, millisecondsOf } from '../text/duration.ts'
import { failed, type OwnCommand } from './command.ts'
import { isGiven, readOptions } from './options.ts'
import { runWords } from './run-words.ts'

const OPTIONS = {
  signal: { type: 'string', short: 's' },
  'kill-after': { type: 'string', short: 'k' },
  'preserve-status': { type: 'boolean' },
  foreground: { type: 'boolean' },
  verbose: { type: 'boolean', short: 'v' },
} as const

const SIGNALS: Readonly<Record<string, number>> = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, TERM: 15 }
/** What just-bash tells of the end. */
const ABORTED = /^(?:bash: )?execution aborted\n/gm
/** Programs that run others, which hear of the end themselves: what these have printed is kept. */
const RUNNERS: ReadonlySet<string> = new Set(
  'bash command env find nice nohup sh stdbuf time timeout xargs'.split(' '),
)

/** `timeout DURATION command`: what the command has printed until then stays, and the script goes on. */
export const timeout: OwnCommand = {
  name: 'timeout',
  async run(args, context, { stop }) {
    const at = commandAt(args)
    const read = readOptions('timeout', args.slice(0, at), OPTIONS)
    if (!isGiven(read)) return { ...read, exitCode: 125 }
    const [duration] = read.operands
    if (duration === undefined || at >= args.length) return failed('timeout', 'missing operand', 125)
    const milliseconds = millisecondsOf(duration)
    if (milliseconds === undefined) return failed('timeout', `invalid time interval ‘${duration}’`, 125)
    const name = (read.values.get('signal') ?? 'TERM').toUpperCase().replace(/^SIG/, '')
    const signal = SIGNALS[name] ?? Object.values(SIGNALS).find((number) => String(number) === name)
    if (signal === undefined) return failed('timeout', `${name}: a signal that is not known here`, 125)
    const { value, isOver } = await stop.limited(milliseconds || LONGEST, (limit) => {
      const words = args.slice(at)
      const runsOthers = RUNNERS.has(words[0]?.split('/').at(-1) ?? '')
      return runWords('timeout', ['command', ...words], context, runsOthers ? {} : { signal: limit })
    })
    if (!isOver) return value
    const exitCode = signal === 9 || read.flags.has('preserve-status') ? 128 + signal : 124
    const { stdout, stdoutKind } = value
    const stderr = value.stderr.replaceAll(ABORTED, '')
    return { stdout, stderr, exitCode, ...(stdoutKind === undefined ? {} : { stdoutKind }) }
  },
}

/** Where the command begins: behind the options and the duration. */
function commandAt(args: readonly string[]): number {
  let at = 0
  while (args[at]?.startsWith('-') === true && args[at] !== '--')
    at += /^(?:-[sk]|--signal|--kill-after)$/.test(args[at] ?? '') ? 2 : 1
  return at + (args[at] === '--' ? 2 : 1)
}

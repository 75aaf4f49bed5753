import type { Command, Word } from 'unbash'
import { literalOf } from './words.ts'

/** `timeout 5 C` is written `{ __ssr_limited 5 124; C; }` before it is translated. */
export const LIMITED = '__ssr_limited'

/** What `timeout` is told. */
export interface Limit {
  /** Seconds, or a word that stands for them. */
  readonly limit: string
  /** What it answers where the command does not end in time. */
  readonly status: number
  /** The command. */
  readonly command: Word
}

/** Signals that end a command, with the status of one that they have ended. */
const SIGNALS: ReadonlyMap<string, number> = new Map(
  Object.entries({ TERM: 143, 15: 143, INT: 130, 2: 130, HUP: 129, 1: 129, KILL: 137, 9: 137 }),
)

const DURATION = /^(\d{1,9}|\d{0,9}\.\d+)([smhd]?)$/
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400 }

/** The seconds of a duration; undefined where it is none. */
export function secondsOf(text: string): number | undefined {
  const [, number, unit] = DURATION.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * (UNITS[unit || 's'] ?? 1)
}

/** The limit of a `timeout` whose options are known; undefined for others. */
export function limitOf(node: Command): Limit | undefined {
  if (literalOf(node.name) !== 'timeout') return undefined
  const words = node.args.filter((arg) => arg.type === 'Word')
  if (words.length !== node.args.length) return undefined
  let [signal, preserved, at] = ['TERM', false, 0]
  for (; at < words.length; at++) {
    const option = literalOf(words[at])
    if (option?.startsWith('-') !== true) break
    if (option === '--preserve-status') preserved = true
    else if (option === '-k' || option === '--kill-after') at++
    else if (option === '-s' || option === '--signal') signal = literalOf(words[++at]) ?? ''
    else if (/^(?:-s|--signal=)./.test(option)) signal = option.replace(/^(?:-s|--signal=)/, '')
    else if (!/^(?:-k\d|--kill-after=|--foreground$)/.test(option)) return undefined
  }
  const [duration, command] = [words[at], words[at + 1]]
  const ended = SIGNALS.get(signal.replace(/^SIG/, ''))
  if (duration === undefined || command === undefined || ended === undefined) return undefined
  const status = preserved || ended === 137 ? ended : 124
  const literal = literalOf(duration)
  if (literal === undefined)
    return /^"?\$(?:\w+|\{\w+\})"?$/.test(duration.text)
      ? { limit: duration.text, status, command }
      : undefined
  const seconds = secondsOf(literal)
  return seconds === undefined ? undefined : { limit: String(seconds), status, command }
}

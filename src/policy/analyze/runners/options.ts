import type { Argument } from '../words.ts'

/** The options of a program that come before the command that it runs. */
export interface OptionRules {
  /** Letters of options without a value. */
  readonly flags?: string
  /** Letters of options with a value, in the same word or the next. */
  readonly values?: string
  /** Letters of options that may have a value in the same word. */
  readonly attached?: string
  /** Long options without a value, or with one after `=`. */
  readonly long?: readonly string[]
  /** Long options whose value may be the next word. */
  readonly longValues?: readonly string[]
  /** Words between the options and the command. */
  readonly operands?: number
  /** Whether assignments may come before the command. */
  readonly assigns?: boolean
  /** Whether `-5` is an option. */
  readonly numbers?: boolean
}

/** The words of a program, taken apart. */
export interface TakenApart {
  readonly options: ReadonlyMap<string, string>
  readonly assignments: readonly string[]
  /** The command, and its arguments. */
  readonly rest: readonly Argument[]
}

/** Takes words apart; undefined where the beginning of the command is only known at run time. */
export function takeApart(words: readonly Argument[], rules: OptionRules): TakenApart | undefined {
  const options = new Map<string, string>()
  const assignments: string[] = []
  let operands = rules.operands ?? 0
  let isOver = false
  for (let at = 0; at < words.length; at++) {
    const value = words[at]?.value
    if (value === undefined) return undefined
    if (!isOver && value.startsWith('-') && value !== '-') {
      if (value === '--') {
        isOver = true
        continue
      }
      const option = readOption(value, rules)
      if (option === undefined) return undefined
      const { isOpen, found } = option
      for (const [name, text] of found) options.set(name, text)
      if (!isOpen) continue
      at++
      const next = words[at]?.value
      if (next === undefined) return undefined
      const last = found.at(-1)
      if (last !== undefined) options.set(last[0], next)
      continue
    }
    isOver = true
    if (rules.assigns === true && (value === '-' || /^[^=]+=/.test(value))) assignments.push(value)
    else if (operands > 0) operands--
    else return { options, assignments, rest: words.slice(at) }
  }
  return { options, assignments, rest: [] }
}

interface ReadOption {
  readonly found: readonly (readonly [name: string, value: string])[]
  /** Whether the next word is the value. */
  readonly isOpen: boolean
}

function readOption(word: string, rules: OptionRules): ReadOption | undefined {
  if (word.startsWith('--')) return readLong(word, rules)
  if (rules.numbers === true && /^-[-+]?\d+$/.test(word)) return { found: [], isOpen: false }
  const found: (readonly [string, string])[] = []
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at)
    const rest = word.slice(at + 1)
    if (rules.flags?.includes(letter) === true) found.push([letter, ''])
    else if (rules.attached?.includes(letter) === true) {
      return { found: [...found, [letter, rest]], isOpen: false }
    } else if (rules.values?.includes(letter) === true) {
      return { found: [...found, [letter, rest]], isOpen: rest === '' }
    } else return undefined
  }
  return { found, isOpen: false }
}

function readLong(word: string, { long = [], longValues = [] }: OptionRules): ReadOption | undefined {
  const equals = word.indexOf('=')
  const name = equals === -1 ? word : word.slice(0, equals)
  const value = equals === -1 ? '' : word.slice(equals + 1)
  if (longValues.includes(name)) return { found: [[name, value]], isOpen: equals === -1 }
  return long.includes(name) ? { found: [[name, value]], isOpen: false } : undefined
}

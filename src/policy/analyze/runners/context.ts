import type { OpaquePart } from '../../analysis.ts'
import type { Collector } from '../collector.ts'
import type { Input } from '../input.ts'
import type { Argument } from '../words.ts'

/** What a program that runs others is given to say so. */
export interface Context {
  /** The command as written. */
  readonly text: string
  readonly input: Input
  readonly collector: Collector
  /** Says that the program runs this command. */
  readonly run: (words: readonly Argument[]) => void
  /** Says that the program runs this text as a script of the shell; undefined: it is only known at run time. */
  readonly script: (text: string | undefined) => void
  /** Says that the command has something that is only known at run time. */
  readonly opaque: (kind: OpaquePart['kind']) => void
}

/** Takes down what a program runs, by its arguments. */
export type Runner = (args: readonly Argument[], context: Context) => void

/** Words as one text, as `eval` joins them; undefined where one is only known at run time. */
export function joined(words: readonly Argument[]): string | undefined {
  const values = words.flatMap(({ value }) => value ?? [])
  return values.length === words.length ? values.join(' ') : undefined
}

import type { Scope } from './cells.ts'
import type { Code, Frame } from './code.ts'
import type { Expression, Target } from './nodes.ts'
import type { Value } from './values.ts'

/** What compiles the expressions that a function of awk is given. */
export interface Compiler {
  readonly scope: Scope
  code(node: Expression): Code<Value>
  text(node: Expression): Code<string>
  /** The source of a regular expression. */
  pattern(node: Expression): Code<string>
  /** Puts a value into what is assigned to; the place is found first. */
  store<T>(
    target: Target,
    value: Code<T>,
    make: (frame: Frame, old: () => Value, value: T) => { kept: Value; given: Value },
  ): Code<Value>
}

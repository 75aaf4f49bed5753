import type { Node } from './nodes.ts'
import type { Json } from './values.ts'

/** A function with the names that hold where it was written. */
export interface Closure {
  /** It was defined by name, and may call itself. An argument may not. */
  readonly named: boolean
  readonly parameters: readonly string[]
  readonly body: Node
  /** Of an argument: where it was written. */
  readonly scope: Scope | undefined
}

/** One name and those around it: `$x`, `f/1` or `*label`. */
export class Scope {
  readonly name: string
  readonly value: Json | Closure | symbol
  readonly outer: Scope | undefined

  constructor(name: string, value: Json | Closure | symbol, outer: Scope | undefined) {
    this.name = name
    this.value = value
    this.outer = outer
  }
}

/** The innermost value of a name. */
export function lookUp(scope: Scope | undefined, name: string): Scope | undefined {
  let at = scope
  while (at !== undefined && at.name !== name) at = at.outer
  return at
}

export const functionName = (name: string, parameters: number): string => `${name}/${parameters}`

export function isClosure(value: Scope['value']): value is Closure {
  return typeof value === 'object' && value !== null && 'body' in value && 'parameters' in value
}

import type { ShellFunction } from '../just-bash.ts'
import { type ArrayNames, collectArrays } from '../transform/arrays.ts'
import { type Forking, restoreFork } from '../transform/fork.ts'
import { takeHeldNames } from '../transform/hoist.ts'
import { type Evaluated, evaluatesLater } from '../transform/lazy-eval.ts'
import { isNode } from '../transform/walk.ts'

/** What a tree needs of the interpreter that it is read for. */
export interface TreeReader {
  readonly evaluated: Evaluated
  readonly forking: Forking
  /** Gets the names of arrays in functions. */
  readonly named: ArrayNames
  /** Has the definition told when it is carried out. */
  observe(node: ShellFunction): void
}

/** A function as JSON. Nodes that compute a part of themselves say so instead: see `toJSON` there. */
export function writeFunction(definition: ShellFunction): string {
  return JSON.stringify(definition)
}

/** @throws {TypeError} where the text is no function. */
export function readFunction(text: string, reader: TreeReader): ShellFunction {
  const definition: unknown = JSON.parse(text)
  if (!isNode(definition) || definition.type !== 'FunctionDef')
    throw new TypeError('The checkpoint is not of this version of the bash engine.')
  takeHeldNames(text)
  revive(definition.body, reader)
  return definition
}

function revive(value: unknown, reader: TreeReader): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) revive(inner, reader)
  if (isNode(value)) collectArrays(value, reader.named)
  if (!('computed' in value) || !isNode(value)) return
  Reflect.deleteProperty(value, 'computed')
  if (value.type === 'FunctionDef') reader.observe(value)
  else if (value.type === 'SimpleCommand') restoreFork(value, reader.forking)
  else evaluatesLater(value, reader.evaluated)
}

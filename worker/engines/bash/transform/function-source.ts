import type { ScriptNode, ShellFunction } from '../just-bash.ts'
import { innerOf, isNode } from './walk.ts'

/** Whether a script may define functions. */
export const DEFINES = /\(\s*\)|\bfunction\b/

/** Notes for each function of a tree how it is written: what runs is rewritten. */
export function noteSources(value: ScriptNode | object): void {
  if (isNode(value) && value.type === 'Statement') {
    const [command] = value.pipelines[0]?.commands ?? []
    if (command?.type === 'FunctionDef' && value.sourceText !== undefined)
      Reflect.set(command, 'source', value.sourceText)
  }
  for (const inner of innerOf(value)) noteSources(inner)
}

/** How a function is written; undefined where that is not known. */
export function sourceOf(definition: ShellFunction): string | undefined {
  const source: unknown = Reflect.get(definition, 'source')
  return typeof source === 'string' ? source : undefined
}

import type { CommandContext, StatementNode, WordNode } from '../just-bash.ts'
import { HELD } from '../transform/arithmetic.ts'
import { innerPath } from '../transform/inner-command.ts'
import { literal, quotedParameter, simple, word } from '../transform/nodes.ts'
import type { InterpreterState, ShellArray } from './interpreter-state.ts'

/** The command that takes the shell's state at the end of a script. */
export const SAVE = '__save'

/** What a script left behind. */
export interface Saved {
  readonly exitCode: number
  readonly cwd: string
  readonly env: Map<string, string>
  /** Undefined: as before. */
  readonly arrays: Map<string, ShellArray> | undefined
  /** Names; undefined: as before. */
  readonly functions: Set<string> | undefined
}

const ENDS_KEYS = '__end-of-keys'

const quoted = (...parts: Parameters<typeof word>): WordNode => word({ type: 'DoubleQuoted', parts })

/** `"${!name[@]}"` and `"${name[@]}"`. */
function arrayWords(name: string): WordNode[] {
  const keys = quoted({
    type: 'ParameterExpansion',
    parameter: `!${name}[@]`,
    operation: { type: 'ArrayKeys', array: name, star: false },
  })
  const values = quoted({ type: 'ParameterExpansion', parameter: `${name}[@]`, operation: null })
  return [literal(name), keys, literal(ENDS_KEYS), values, literal(ENDS_KEYS)]
}

/** `__save $? functions arrays…` */
export const saveCommand = (arrays: Iterable<string>, functions: boolean): ReturnType<typeof simple> =>
  simple(innerPath(SAVE), ...saveWords(arrays, functions))

/** The words that carry a shell's state: `$? functions arrays…`. */
export function saveWords(arrays: Iterable<string>, functions: boolean): WordNode[] {
  const names = functions ? [quoted(functionNames())] : [literal('-')]
  return [quotedParameter('?'), ...names, ...[...arrays].flatMap(arrayWords)]
}

/** `$(declare -F)` */
function functionNames(): WordNode['parts'][number] {
  const list: StatementNode = {
    type: 'Statement',
    pipelines: [{ type: 'Pipeline', commands: [simple('declare', literal('-F'))], negated: false }],
    operators: [],
    background: false,
  }
  return { type: 'CommandSubstitution', body: { type: 'Script', statements: [list] }, legacy: false }
}

/** Reads what `__save` was called with. */
export function readSaved(args: readonly string[], context: CommandContext, state: InterpreterState): Saved {
  const [exitCode = '0', functions = '', ...rest] = args
  const env = new Map([...context.env].filter(([name]) => !HELD.test(name)))
  const arrays = new Map<string, ShellArray>()
  while (rest.length > 0) {
    const [name = ''] = rest.splice(0, 1)
    const keys = takeUntilEnd(rest)
    const values = takeUntilEnd(rest)
    // A scalar answers to `[@]` as well.
    if (keys.length !== values.length || (env.has(name) && !state.associativeArrays.has(name))) continue
    const kind = state.associativeArrays.has(name) ? 'associative' : 'indexed'
    if (keys.length > 0 || kind === 'associative')
      arrays.set(name, { kind, elements: new Map(keys.map((key, at) => [key, values[at] ?? ''])) })
  }
  return {
    exitCode: Number(exitCode),
    cwd: context.cwd,
    env,
    arrays,
    functions: new Set([...functions.matchAll(/^declare -f\S* (\S+)$/gm)].map(([, name]) => name ?? '')),
  }
}

function takeUntilEnd(words: string[]): string[] {
  const at = words.indexOf(ENDS_KEYS)
  const taken = words.splice(0, at + 1)
  taken.pop()
  return taken
}

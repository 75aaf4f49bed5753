import type { CommandContext, WordNode } from '../just-bash.ts'
import { HELD } from '../transform/arithmetic.ts'
import { innerPath } from '../transform/inner-command.ts'
import { literal, quotedParameter, simple, single, word } from '../transform/nodes.ts'
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

/** Instead of the names of functions: those that were defined. */
const AS_DEFINED = '='

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

/** What a shell's state is made of. */
export interface SavedParts {
  /** Names that may be arrays. */
  readonly arrays: Iterable<string>
  readonly functions: boolean
  /** The shell's output may go elsewhere. */
  readonly redirects: boolean
}

/** `__save $? functions arrays…` */
export const saveCommand = (parts: SavedParts): ReturnType<typeof simple> =>
  simple(innerPath(SAVE), ...saveWords(parts))

/** The words that carry a shell's state: `$? functions arrays…`. */
export function saveWords({ arrays, functions, redirects }: SavedParts): WordNode[] {
  // After `exec > file` a substitution prints into the file.
  const names = !functions ? literal('-') : redirects ? literal(AS_DEFINED) : quoted(functionNames())
  return [quotedParameter('?'), names, ...[...arrays].flatMap(arrayWords)]
}

/** `$(declare -F)` */
function functionNames(): WordNode['parts'][number] {
  const statements = [single(simple('declare', literal('-F')))]
  return { type: 'CommandSubstitution', body: { type: 'Script', statements }, legacy: false }
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
    const elements = keys.map((key, at): [string, string] => [key, values[at] ?? ''])
    // Of the keys of a chain the latest is listed first: so they stay in their order.
    if (kind === 'associative') elements.reverse()
    if (keys.length > 0 || kind === 'associative') arrays.set(name, { kind, elements: new Map(elements) })
  }
  return {
    exitCode: Number(exitCode),
    cwd: context.cwd,
    env,
    arrays,
    functions:
      functions === AS_DEFINED
        ? undefined
        : new Set([...functions.matchAll(/^declare -f\S* (\S+)$/gm)].map(([, name]) => name ?? '')),
  }
}

function takeUntilEnd(words: string[]): string[] {
  const at = words.indexOf(ENDS_KEYS)
  const taken = words.splice(0, at + 1)
  taken.pop()
  return taken
}

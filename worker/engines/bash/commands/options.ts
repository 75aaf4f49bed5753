import { parseArgs } from 'node:util'
import { type Answer, failed } from './command.ts'

/** Options of a command by their long names: whether they take a value, and their letter. */
export type OptionTable = Readonly<
  Record<string, { readonly type: 'boolean' | 'string'; readonly short?: string }>
>

/** What was given. */
export interface Given {
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  readonly operands: readonly string[]
}

/**
 * Reads options as GNU programs do: letters together, values attached or apart, options after operands, `--` at the end
 * of them. An option that is not in the table is refused, never skipped.
 */
export function readOptions(name: string, args: readonly string[], table: OptionTable): Given | Answer {
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...table },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags = new Set<string>()
  const values = new Map<string, string>()
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const option = table[token.name]
    if (option === undefined) {
      const letter = token.rawName.startsWith('--') ? undefined : token.name
      return failed(
        name,
        letter === undefined ? `unrecognized option '${token.rawName}'` : `invalid option -- '${letter}'`,
      )
    }
    if (option.type === 'boolean') flags.add(token.name)
    else if (token.value === undefined) return failed(name, `option '${token.rawName}' requires an argument`)
    else values.set(token.name, token.value)
  }
  return { flags, values, operands }
}

export function isGiven(read: Given | Answer): read is Given {
  return 'operands' in read
}

import type { ShellFunction, StatementNode } from '../just-bash.ts'
import { PRINT_FUNCTIONS } from '../transform/declare-function.ts'
import { EXPORT_FUNCTIONS } from '../transform/export-functions.ts'
import { done, failed, type OwnCommand } from './command.ts'

/** `declare -f name…`: source that reads back the same, in another layout than bash's. */
export const printFunctions: OwnCommand = {
  name: PRINT_FUNCTIONS,
  run(args, _context, { current, serialize }) {
    const known = current?.functions ?? new Map<string, ShellFunction>()
    const names = args.length > 0 ? args : [...known.keys()].sort()
    let text = ''
    for (const name of names) {
      const definition = known.get(name)
      if (definition === undefined)
        return { ...failed('bash', `declare: ${name}: not found`), stderr: '', stdout: text }
      const statement: StatementNode = {
        type: 'Statement',
        pipelines: [{ type: 'Pipeline', commands: [definition], negated: false }],
        operators: [],
        background: false,
      }
      text += `${serialize({ type: 'Script', statements: [statement] }).trimEnd()}\n`
    }
    return done(text)
  },
}

/** `export -f name…` */
export const exportFunctions: OwnCommand = {
  name: EXPORT_FUNCTIONS,
  run(args, _context, { current }) {
    const known = current?.functions
    const missing = args.filter((name) => known?.has(name) !== true)
    for (const name of args) if (!missing.includes(name)) current?.exportedFunctions.add(name)
    return {
      ...done('', missing.length === 0 ? 0 : 1),
      stderr: missing.map((name) => `bash: export: ${name}: not a function\n`).join(''),
    }
  },
}

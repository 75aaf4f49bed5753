import type { ShellFunction } from '../just-bash.ts'
import type { Interpreter } from '../session/session.ts'
import { PRINT_FUNCTIONS } from '../transform/declare-function.ts'
import { EXPORT_FUNCTIONS } from '../transform/export-functions.ts'
import { sourceOf } from '../transform/function-source.ts'
import { single } from '../transform/nodes.ts'
import { done, failed, type OwnCommand } from './command.ts'

/** `declare -f name…`: functions as they are written. Bash has a layout of its own. */
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
      text += `${sourceOf(definition) ?? serialized(definition, serialize)}\n`
    }
    return done(text)
  },
}

function serialized(definition: ShellFunction, serialize: Interpreter['serialize']): string {
  return serialize({ type: 'Script', statements: [single(definition)] }).trimEnd()
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

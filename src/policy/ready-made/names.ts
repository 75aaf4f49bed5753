import { refuse, requireText } from '../../sandbox/arguments.ts'
import { kindOf } from '../../sandbox/show-value.ts'

/** The names of programs, copied. @throws SandboxConfigError with the field `names`, or that of one */
export function programNames(names: unknown): readonly string[] {
  if (!Array.isArray(names)) throw refuse('names', `must be an array of programs, but is ${kindOf(names)}.`)
  return Array.from(names, (name: unknown, index) => programName(name, `names[${index}]`))
}

function programName(name: unknown, field: string): string {
  const text = requireText(name, field)
  if (/^(?:\/(?:[^/\s]+\/)*)?[^/\s]+$/.test(text) && !/(?:^|\/)\.\.?\//.test(text)) return text
  throw refuse(field, 'must be the name of a program, such as "ls", or its absolute path.')
}

/** The name that a program has in its directory. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Whether a list has a command: by its name, or by that of a program where it is given as a path. */
export function hasName(list: ReadonlySet<string>, name: string): boolean {
  return list.has(name) || (name.startsWith('/') && list.has(baseName(name)))
}

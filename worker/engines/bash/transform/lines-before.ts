import type { ScriptNode } from '../just-bash.ts'
import { isSyntaxError, parseException, syntaxError } from '../text/syntax-error.ts'
import { innerPath } from './inner-command.ts'
import { simple, single, singleQuoted } from './nodes.ts'

/** `__syntax message`: tells of a line that does not parse. */
export const SYNTAX = '__syntax'

/** Lines that are parsed in search of those before an error. */
const MOST_LINES = 20_000

/** A script as far as it parses. */
export interface Parsed {
  readonly ast: ScriptNode
  /** What is wrong behind it. */
  readonly problem?: string
}

/**
 * Parses a script as bash reads it, line by line: of one with an error the lines before are there, and a command at the end that tells of it.
 *
 * @throws just-bash's ParseException where the first command has the error.
 */
export function parseLines(text: string, parse: (text: string) => ScriptNode): Parsed {
  const { ast: whole, error } = attempt(text, parse)
  if (error === undefined) return { ast: whole }
  const lines = text.split('\n')
  let left = MOST_LINES
  for (
    let count = Math.min(lineOf(error) ?? lines.length, lines.length) - 1;
    count > 0 && left > 0;
    count -= 1
  ) {
    left -= count
    const { ast } = attempt(lines.slice(0, count).join('\n'), parse)
    if (ast === undefined || ast.statements.length === 0) continue
    const problem =
      lineOf(error) === undefined ? `line ${count + 1}: ${error.message}` : syntaxError(error, text)
    const told = single(simple(innerPath(SYNTAX), singleQuoted(problem)))
    return { ast: { ...ast, statements: [...ast.statements, told] }, problem }
  }
  throw error
}

type Attempt =
  | { readonly ast: ScriptNode; readonly error?: undefined }
  | { readonly ast?: undefined; readonly error: Error }

function attempt(text: string, parse: (text: string) => ScriptNode): Attempt {
  try {
    const ast = parse(text)
    const told = ast.statements.find(({ deferredError }) => deferredError !== undefined)?.deferredError
    return told === undefined ? { ast } : { error: parseException(told.message) }
  } catch (error) {
    if (error instanceof Error && isSyntaxError(error)) return { error }
    throw error
  }
}

/** The line of an error of the parser; undefined where it is not told. */
function lineOf(error: Error | undefined): number | undefined {
  const [, line] = /^(?:Parse error at |line )(\d+):/.exec(error?.message ?? '') ?? []
  return line === undefined ? undefined : Number(line)
}

import type { Bash, CommandContext } from './just-bash.ts'

/** A program of just-bash as it keeps it. One of ours has the program whose name it took. */
interface Program {
  execute: (args: string[], context: CommandContext) => unknown
  readonly internalIsExtension?: boolean
  readonly internalOriginalCommand?: Program
}

/**
 * Under `coverage` the first program that runs makes just-bash load the code of all of its programs, to tell of their
 * options, which takes a worker's first command 0.1 s. A program's loader asks for `coverage` first: it is told that there is none.
 *
 * @throws {TypeError} where this is not the pinned version of just-bash.
 */
export function loadProgramsOnDemand(bash: Bash): void {
  const programs: unknown = Reflect.get(bash, 'commands')
  if (!(programs instanceof Map))
    throw new TypeError('This just-bash keeps its programs in another way than 3.4.2.')
  for (const program of programs.values() as Iterable<Program>) {
    if (program.internalIsExtension !== true) hideCoverage(program)
    else if (program.internalOriginalCommand !== undefined) hideCoverage(program.internalOriginalCommand)
  }
}

function hideCoverage(program: Program): void {
  const { execute } = program
  program.execute = (args, context) => {
    hideOnce(context)
    return execute(args, context)
  }
}

function hideOnce(context: CommandContext): void {
  const coverage: unknown = Reflect.get(context, 'coverage')
  if (coverage === undefined) return
  Object.defineProperty(context, 'coverage', {
    configurable: true,
    enumerable: true,
    get() {
      Object.defineProperty(context, 'coverage', { configurable: true, enumerable: true, value: coverage })
      return undefined
    },
  })
}

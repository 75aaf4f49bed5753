import type { Bash, CommandContext } from './just-bash.ts'
import { type Program, programsOf } from './programs.ts'

/**
 * Under `coverage` the first program that runs makes just-bash load the code of all of its programs, to tell of their
 * options, which takes a worker's first command 0.1 s. A program's loader asks for `coverage` first: it is told that there is none.
 *
 * @throws {TypeError} where this is not the pinned version of just-bash.
 */
export function loadProgramsOnDemand(bash: Bash): void {
  for (const program of programsOf(bash).values()) {
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

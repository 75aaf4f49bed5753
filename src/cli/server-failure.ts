import { SandboxConfigError } from '../sandbox/errors.ts'
import { isError } from '../sandbox/kinds.ts'
import { EXIT } from './exit-codes.ts'
import { CliError, exitCodeOf } from './failure.ts'

/**
 * What a server has against its surroundings, in terms of the command line; undefined for anything else.
 *
 * @param server - what it is called in a message
 * @param optionNames - the option of the command line for each field of its config
 */
export function serverFailure(
  error: unknown,
  server: string,
  optionNames: Readonly<Record<string, string>>,
): CliError | undefined {
  if (error instanceof SandboxConfigError && Object.hasOwn(optionNames, error.field)) {
    const message = error.message.replace(error.field, optionNames[error.field] ?? error.field)
    return new CliError(message, exitCodeOf(error), { cause: error })
  }
  if (!(isError(error) && 'code' in error)) return undefined
  if (error.code === 'ERR_MODULE_NOT_FOUND')
    return new CliError(error.message, EXIT.runtime, { cause: error })
  if (!('syscall' in error)) return undefined
  return new CliError(`the ${server} cannot listen: ${error.message}.`, EXIT.runtime, { cause: error })
}

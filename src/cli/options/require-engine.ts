import type { EngineName } from '../../contract/lease.ts'
import { resolveJustBash } from '../../engines/bash/find-just-bash.ts'
import { EngineUnavailableError } from '../../sandbox/errors.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError } from '../failure.ts'

/**
 * Looks for the package of bash before anything is opened: it is an optional one.
 *
 * @throws CliError that says what to install
 */
export async function requireEngine(shell: EngineName): Promise<void> {
  if (shell !== 'bash') return
  try {
    await resolveJustBash()
  } catch (cause) {
    if (!(cause instanceof EngineUnavailableError)) throw cause
    throw new CliError(`${cause.message}, or use --shell strands.`, EXIT.runtime, { cause })
  }
}

import type { EngineName } from '../../contract/lease.ts'
import { resolveJustBash } from '../../engines/bash/find-just-bash.ts'
import { findJail } from '../../engines/jail/jail-engine.ts'
import { EngineUnavailableError } from '../../sandbox/errors.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError } from '../failure.ts'

/**
 * Looks for the package of bash, or for what jails need, before anything is opened: both are optional.
 *
 * @throws CliError that says what to install
 */
export async function requireEngine(shell: EngineName): Promise<void> {
  if (shell === 'strands') return
  try {
    await (shell === 'bash' ? resolveJustBash() : findJail())
  } catch (cause) {
    if (!(cause instanceof EngineUnavailableError)) throw cause
    throw new CliError(`${cause.message.replace(/\.$/, '')}, or use --shell strands.`, EXIT.runtime, {
      cause,
    })
  }
}

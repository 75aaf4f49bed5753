import type { EngineName } from '../contract/lease.ts'
import { resolveJustBash } from '../engines/bash/find-just-bash.ts'
import { findJail } from '../engines/jail/jail-engine.ts'
import { strandsEngine } from '../engines/strands/strands-engine.ts'

const finders: Readonly<Record<EngineName, () => Promise<unknown>>> = {
  bash: resolveJustBash,
  jail: findJail,
  strands: () => strandsEngine.find(),
}

/**
 * Finds the engine of a shell, and loads what its cells need of this process, before a client is there: later there may
 * be no descriptor left for it.
 *
 * @throws {EngineUnavailableError} where there is none for this machine
 */
export async function requireEngine(shell: EngineName): Promise<void> {
  await Promise.all([finders[shell](), import('../network/egress-proxy.ts')])
}

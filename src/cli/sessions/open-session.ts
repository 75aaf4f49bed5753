import type { EngineName } from '../../contract/lease.ts'
import { requireForm } from '../../hosted-sandbox/snapshots.ts'
import { UnsupportedError } from '../../sandbox/errors.ts'
import { quote } from '../../sandbox/show-value.ts'
import { checkConfig, makeSandbox } from '../../shell-host/shells.ts'
import type { StoredSnapshot } from '../../snapshot/store.ts'
import { usageError } from '../failure.ts'
import { requireEngine } from '../options/require-engine.ts'
import { type CliConfig, configOf, hostOfOne } from '../options/sandbox-config.ts'
import type { SandboxOptions } from '../options/sandbox-options.ts'
import { KeptSession } from './kept-session.ts'
import { openSessions, requireSessionName } from './session-store.ts'

/** Which session is meant, as commander hands it over. */
export interface SessionOptions extends SandboxOptions {
  readonly session: string
  readonly sessions?: string
}

/** A session that is kept, and what the store had of it. */
export interface OpenedSession {
  readonly kept: KeptSession
  /** Undefined where it begins now. */
  readonly stored: StoredSnapshot | undefined
}

/** Opens a session of a store, or a new one. Its shell is that of the stored one where the options name none. */
export async function openSession(
  options: SessionOptions,
  warn: (line: string) => void,
): Promise<OpenedSession> {
  const name = requireSessionName('--session', options.session)
  const directory = await openSessions(options.sessions)
  // The number first: where another process stores meanwhile, this one is refused.
  const stored = await directory.store.find(name)
  const snapshot = stored && (await directory.store.get(name))
  const config = await configOf(options, snapshot?.engine ?? 'bash')
  refuseOtherShell(name, snapshot?.engine, config.shell)
  requireKeepable('--session', config)
  const host = await hostOfOne(config, options)
  const sandbox = makeSandbox(config.shell, config, { host, snapshot })
  await requireEngine(config.shell)
  await sandbox.open()
  return { kept: new KeptSession({ name, fence: stored?.fence ?? 0, sandbox, directory, warn }), stored }
}

/** @throws CliError where sessions of this config cannot be stored */
export function requireKeepable(flag: string, config: CliConfig): void {
  try {
    requireForm(checkConfig(config.shell, config))
  } catch (cause) {
    if (!(cause instanceof UnsupportedError)) throw cause
    throw usageError(`${flag}: ${cause.message}`, { cause })
  }
}

function refuseOtherShell(name: string, stored: EngineName | undefined, asked: EngineName): void {
  if (stored === undefined || stored === asked) return
  throw usageError(
    `--session: ${quote(name)} is a session of the ${stored} shell, and the ${asked} shell is asked for. Say --shell ${stored}, or take another name.`,
  )
}

import type { EngineName } from '../../contract/lease.ts'
import { DEFAULT_ISOLATION } from '../../host/default-host.ts'
import { quote } from '../../sandbox/show-value.ts'
import { ShellHost } from '../../shell-host/shell-host.ts'
import type { StoredSnapshot } from '../../snapshot/store.ts'
import { usageError } from '../failure.ts'
import { requireEngine } from '../options/require-engine.ts'
import { asSandboxConfig, configOf, isolationOf } from '../options/sandbox-config.ts'
import type { SandboxOptions } from '../options/sandbox-options.ts'
import { KeptSession } from './kept-session.ts'
import { RenamingStore } from './renaming-store.ts'
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
  const stored = await directory.store.find(name)
  const snapshot = stored && (await directory.store.get(name))
  const config = await configOf(options, snapshot?.engine ?? 'bash')
  refuseOtherShell(name, snapshot?.engine, config.shell)
  const { network, hardening } = options
  const store = new RenamingStore(directory.store, name, warn)
  const host = new ShellHost({
    isolation: isolationOf(config, options, DEFAULT_ISOLATION),
    hibernate: { store },
    ...(network === undefined ? {} : { network }),
    ...(hardening === undefined ? {} : { hardening }),
  })
  await requireEngine(config.shell)
  const sandbox = await host.getOrOpen<EngineName>(name, asSandboxConfig(config))
  return { kept: new KeptSession({ name, sandbox, store, directory, warn }), stored }
}

function refuseOtherShell(name: string, stored: EngineName | undefined, asked: EngineName): void {
  if (stored === undefined || stored === asked) return
  throw usageError(
    `--session: ${quote(name)} is a session of the ${stored} shell, and the ${asked} shell is asked for. Say --shell ${stored}, or take another name.`,
  )
}

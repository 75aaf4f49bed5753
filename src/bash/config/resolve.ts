import * as v from 'valibot'
import { CHECKPOINT_TEXT } from '../../config/checkpoint-text.ts'
import { resolveContinuation } from '../../config/continuation.ts'
import { resolveOversight } from '../../config/oversight.ts'
import { refuseConfig } from '../../config/refuse-config.ts'
import { resolveBinds } from '../../config/resolve-binds.ts'
import { resolveFiles } from '../../config/resolve-files.ts'
import { type ResolvedHostCommand, resolveHostCommands } from '../../config/resolve-host-commands.ts'
import { resolveStart } from '../../config/resolve-start.ts'
import { RUNTIME_DEFAULTS } from '../../config/runtime-schema.ts'
import { snapshot } from '../../config/snapshot.ts'
import { takeApart } from '../../config/take-apart.ts'
import type { BashLimitsRecord, BashRecord } from '../../contract/shell-record.ts'
import { bashEngine } from '../../engines/bash/bash-engine.ts'
import { EgressRules } from '../../network/rules.ts'
import type { SessionConfig, UnopenedRecord } from '../../session/session-config.ts'
import { bashConfigSchema } from './schema.ts'
import type { BashLimits } from './types.ts'

const mebibyte = 2 ** 20

/** The home of every bash session. */
export const BASH_HOME = '/home/user'

/** Every default of the limits, in one place. */
const limitDefaults = {
  maxOutput: 10 * mebibyte,
  maxFileSystem: 256 * mebibyte,
  maxMemory: 256 * mebibyte,
} as const

/** A config of a bash sandbox, and the functions that its commands are. */
export interface ResolvedBashConfig {
  readonly session: SessionConfig
  readonly commands: readonly ResolvedHostCommand[]
  /** Bytes that one command may give. */
  readonly maxOutput: number
}

/**
 * Validates and copies a `BashConfig`, reading every property once.
 *
 * @throws SandboxConfigError naming each field at fault, what was expected, what came and what to do.
 */
export function resolveBashConfig(config?: unknown): ResolvedBashConfig {
  const { apart, others } = takeApart(config, ['files', 'commands', 'policy'])
  const parsed = v.safeParse(bashConfigSchema, snapshot(others))
  if (!parsed.success) throw refuseConfig(parsed.issues)
  const { env = [], credentials = [], allowedUrls = [], ...rest } = parsed.output
  // The rules of every level: an entry that cannot be matched is refused here.
  new EgressRules({ network: 'allowlist', allow: allowedUrls }, 'allowedUrls')
  const binds = resolveBinds(rest.binds ?? [])
  const start = resolveStart(rest, resolveFiles(apart.files), binds, { writable: [] })
  const limits = resolveLimits(rest.limits)
  const functions = resolveHostCommands(apart.commands)
  const continuation = resolveContinuation(rest, 'call')
  const record: UnopenedRecord<BashRecord> = {
    ...start,
    engine: 'bash',
    binds,
    credentials,
    allowedUrls,
    env,
    cwd: start.cwd ?? BASH_HOME,
    python: rest.python ?? false,
    commands: functions.map(({ name, description, help }) => ({ name, description, help })),
    limits,
    ...(continuation.checkpoints === 'call' ? { handsOver: 'call' } : {}),
    ...(rest.network === undefined ? {} : { network: rest.network }),
    ...(rest.umask === undefined ? {} : { umask: rest.umask }),
    ...(rest.timeout === undefined ? {} : { timeout: rest.timeout }),
  }
  const session = {
    engine: bashEngine(limits.maxMemory),
    record: Object.freeze(record),
    isolation: rest.isolation,
    ...continuation,
    ...resolveOversight(rest, apart.policy),
    maxPending: rest.maxPending ?? RUNTIME_DEFAULTS.maxPending,
    checkpoint: { maxBytes: limits.maxFileSystem, maxText: CHECKPOINT_TEXT },
  }
  return { session, commands: functions, maxOutput: limits.maxOutput }
}

function resolveLimits(limits: BashLimits = {}): BashLimitsRecord {
  const maxFileSystem = limits.maxFileSystem ?? limitDefaults.maxFileSystem
  return {
    maxOutput: limits.maxOutput ?? limitDefaults.maxOutput,
    maxFileSystem,
    maxFileSize: Math.min(limits.maxFileSize ?? maxFileSystem, maxFileSystem),
    maxMemory: limits.maxMemory ?? limitDefaults.maxMemory,
  }
}

import { resolve } from 'node:path'
import * as v from 'valibot'
import { resolveOversight } from '../../config/oversight.ts'
import { refuseConfig } from '../../config/refuse-config.ts'
import { resolveBinds } from '../../config/resolve-binds.ts'
import { resolveFiles } from '../../config/resolve-files.ts'
import { resolveStart } from '../../config/resolve-start.ts'
import { RUNTIME_DEFAULTS } from '../../config/runtime-schema.ts'
import { snapshot } from '../../config/snapshot.ts'
import { takeApart } from '../../config/take-apart.ts'
import type { JailLimitsRecord, JailRecord } from '../../contract/shell-record.ts'
import { jailEngine } from '../../engines/jail/jail-engine.ts'
import { EgressRules } from '../../network/rules.ts'
import type { SessionConfig, UnopenedRecord } from '../../session/session-config.ts'
import { jailConfigSchema } from './schema.ts'
import type { JailLimits } from './types.ts'

const mebibyte = 2 ** 20

/** The home of every session in a jail. */
export const JAIL_HOME = '/home/user'

/** Bytes of files in memory where the config does not say. */
const TMPFS = 256 * mebibyte

/** Every default of the limits, in one place. */
const limitDefaults = {
  maxOutput: 10 * mebibyte,
  maxFileSize: 256 * mebibyte,
  maxProcesses: 512,
  maxMemory: 1024 * mebibyte,
  maxOpenFiles: 1024,
} as const

/**
 * Validates and copies a `JailConfig`, reading every property once.
 *
 * @throws SandboxConfigError naming each field at fault, what was expected, what came and what to do.
 */
export function resolveJailConfig(config?: unknown): SessionConfig {
  const { apart, others } = takeApart(config, ['files', 'policy'])
  const parsed = v.safeParse(jailConfigSchema, snapshot(others))
  if (!parsed.success) throw refuseConfig(parsed.issues)
  const { env = [], credentials = [], allowedUrls = [], root = 'host', ...rest } = parsed.output
  new EgressRules({ network: 'allowlist', allow: allowedUrls }, 'allowedUrls')
  const binds = resolveBinds(rest.binds ?? [])
  const start = resolveStart(rest, resolveFiles(apart.files), binds, { writable: [] })
  const record: UnopenedRecord<JailRecord> = {
    ...start,
    engine: 'jail',
    binds,
    credentials,
    allowedUrls,
    env,
    cwd: start.cwd ?? JAIL_HOME,
    interpreter: rest.interpreter ?? 'bash',
    root: root === 'host' ? '/' : resolve(root),
    tmpfs: rest.tmpfs ?? TMPFS,
    limits: resolveLimits(rest.limits),
    ...(rest.network === undefined ? {} : { network: rest.network }),
    ...(rest.umask === undefined ? {} : { umask: rest.umask }),
    ...(rest.timeout === undefined ? {} : { timeout: rest.timeout }),
  }
  return {
    engine: jailEngine,
    record: Object.freeze(record),
    isolation: rest.isolation ?? 'shared',
    onInterrupt: rest.onInterrupt ?? 'keep',
    onLost: rest.onLost ?? 'reopen',
    checkpoints: 'never',
    ...resolveOversight(rest, apart.policy),
    maxPending: rest.maxPending ?? RUNTIME_DEFAULTS.maxPending,
  }
}

function resolveLimits(limits: JailLimits = {}): JailLimitsRecord {
  return {
    maxOutput: limits.maxOutput ?? limitDefaults.maxOutput,
    maxFileSize: limits.maxFileSize ?? limitDefaults.maxFileSize,
    maxProcesses: limits.maxProcesses ?? limitDefaults.maxProcesses,
    maxMemory: limits.maxMemory ?? limitDefaults.maxMemory,
    maxOpenFiles: limits.maxOpenFiles ?? limitDefaults.maxOpenFiles,
  }
}

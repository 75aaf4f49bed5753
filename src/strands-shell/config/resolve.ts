import * as v from 'valibot'
import { CHECKPOINT_TEXT } from '../../config/checkpoint-text.ts'
import { resolveContinuation } from '../../config/continuation.ts'
import { refuseSharedSources } from '../../config/mirrored-sources.ts'
import { resolveOversight } from '../../config/oversight.ts'
import { refuseConfig } from '../../config/refuse-config.ts'
import { hostPath, resolveBinds } from '../../config/resolve-binds.ts'
import { resolveFiles } from '../../config/resolve-files.ts'
import { resolveStart } from '../../config/resolve-start.ts'
import { RUNTIME_DEFAULTS } from '../../config/runtime-schema.ts'
import { snapshot } from '../../config/snapshot.ts'
import { takeApart } from '../../config/take-apart.ts'
import type { LimitsRecord, StrandsRecord } from '../../contract/shell-record.ts'
import type { SessionConfig, UnopenedRecord } from '../../session/session-config.ts'
import { MIRROR_DEFAULTS, START_DEFAULTS } from './defaults.ts'
import { refuseClosed } from './refuse-closed.ts'
import { configSchema } from './schema.ts'
import type { StrandsShellConfig } from './types.ts'

/** What may be kept of a session: bytes of its files, and characters of all else. */
const CHECKPOINT_BOUNDS = Object.freeze({ maxBytes: 512 * 2 ** 20, maxText: CHECKPOINT_TEXT })

/** A validated config: frozen, complete, and its tokens hidden from printing. */
export type ResolvedConfig = Omit<SessionConfig, 'engine' | 'record'> & {
  readonly record: UnopenedRecord<StrandsRecord>
}

/**
 * Validates and copies a {@link StrandsShellConfig}. Every property is read once; relative host paths
 * become absolute.
 *
 * @throws SandboxConfigError naming each field at fault (its `field` is the first), what was expected,
 *   what came and what to do; never the value of a token or of a variable.
 */
export function resolveConfig(config?: unknown): ResolvedConfig {
  const { apart, others } = takeApart(config, ['files', 'policy'])
  const parsed = v.safeParse(configSchema, snapshot(others))
  if (!parsed.success) throw refuseConfig(parsed.issues)
  const { credentials = [], allowedUrls = [], env = [], limits = {}, ...rest } = parsed.output
  const { mirrorMaxFiles, mirrorMaxBytes, ...engineLimits } = limits
  const binds = resolveBinds(rest.binds ?? [])
  const continuation = resolveContinuation(rest, 'never')
  const record: UnopenedRecord<StrandsRecord> = {
    ...resolveStart(rest, resolveFiles(apart.files), binds, { writable: START_DEFAULTS.writable }),
    engine: 'strands',
    binds,
    credentials: freezeAll(credentials),
    allowedUrls: Object.freeze(allowedUrls),
    env: freezeAll(env),
    limits: Object.freeze(present(engineLimits)),
    mirror: Object.freeze({
      maxFiles: mirrorMaxFiles ?? MIRROR_DEFAULTS.mirrorMaxFiles,
      maxBytes: mirrorMaxBytes ?? MIRROR_DEFAULTS.mirrorMaxBytes,
    }),
    ...(continuation.checkpoints === 'call' ? { handsOver: 'call' } : {}),
    ...(rest.network === undefined ? {} : { network: rest.network }),
    ...(rest.umask === undefined ? {} : { umask: rest.umask }),
    ...(rest.timeout === undefined ? {} : { timeout: rest.timeout }),
    ...(rest.configFile === undefined ? {} : { configFile: hostPath(rest.configFile, 'configFile') }),
  }
  refuseSharedSources(record.binds)
  refuseClosed(record)
  return Object.freeze({
    record: Object.freeze(record),
    isolation: rest.isolation,
    ...continuation,
    ...resolveOversight(rest, apart.policy),
    maxPending: rest.maxPending ?? RUNTIME_DEFAULTS.maxPending,
    checkpoint: CHECKPOINT_BOUNDS,
  })
}

function present(limits: { readonly [name in keyof LimitsRecord]: number | undefined }): LimitsRecord {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

function freezeAll<Item extends object>(items: Item[]): readonly Readonly<Item>[] {
  for (const item of items) Object.freeze(item)
  return Object.freeze(items)
}

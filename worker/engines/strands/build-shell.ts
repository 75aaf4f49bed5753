import type { ShellDescription } from '../../../src/contract/shell-api.ts'
import type { BindRecord, StrandsRecord } from '../../../src/contract/shell-record.ts'
import { resolveSource } from '../../host-files/resolve-source.ts'
import { FarError } from '../../service/far-error.ts'
import type { Gate } from '../../service/native-gate.ts'
import { type EffectiveConfig, readEffective } from './effective-config.ts'
import { copyBind, EmptySources } from './empty-sources.ts'
import { engineRefusal } from './engine-refusal.ts'
import { GatedShell } from './gated-shell.ts'
import { DEFAULT_MAX_OUTPUT, engineMaxOutput } from './guards/engine-limits.ts'
import { preludeOf } from './guards/prelude.ts'
import type { CountingShell } from './last-status.ts'
import { loadOnDemand } from './load-on-demand.ts'
import { isMirrored, type Mirroring } from './mirroring.ts'
import type { NativeEngine } from './native-engine.ts'
import { refuseCredentials } from './refuse-credentials.ts'
import { prepareStart } from './start/start.ts'
import { TRANSLATION_DIRECTORY } from './translate/directory.ts'
import { withoutMirrored } from './without-mirrored.ts'

/** What has to be known of a shell's config while it serves. */
export interface ShellSettings extends EffectiveConfig {
  /** Bytes. */
  readonly maxOutput: number
  /** As the config has them; the engine may have been built with stand-ins. */
  readonly binds: readonly BindRecord[]
  readonly mirror: StrandsRecord['mirror']
  /** Destinations of binds that stand for directories and files which the session begins with. */
  readonly places: ReadonlySet<string>
  /** What of the host's directories was left out when it began. */
  readonly skipped: ShellDescription['skipped']
  /** Whether each call that may have changed something is followed by a checkpoint. */
  readonly handsOver: boolean
}

/** A native shell, ready to serve. */
export interface BuiltShell {
  readonly shell: CountingShell
  readonly settings: ShellSettings
  /** Absent where no bind is mirrored or can tell its changes. */
  readonly mirroring: Mirroring | undefined
}

/** Builds a native shell from a record, in this thread, with the session guards in place. */
export async function buildShell(
  engine: NativeEngine,
  record: StrandsRecord,
  gate: Gate,
): Promise<BuiltShell> {
  using file = withoutMirrored(record)
  const binds = file.binds.map(resolveSource)
  const maxOutput = record.limits.maxOutput ?? file.maxOutput ?? DEFAULT_MAX_OUTPUT
  const limits = { ...record.limits, maxOutput: engineMaxOutput(maxOutput) }
  using empty = new EmptySources()
  const bound = [...binds.map(({ destination }) => destination), ...file.otherPlaces]
  const start = prepareStart(record, bound, empty)
  const places = start.binds.map(({ destination }) => destination)
  using prepared = binds.some(isMirrored)
    ? loadOnDemand().prepareMirrors(binds, [...places, ...file.otherPlaces])
    : undefined
  const toBuild = {
    ...record,
    ...file.configFile,
    binds: [...start.binds, ...(prepared?.binds ?? binds), copyBind(empty.directory, TRANSLATION_DIRECTORY)],
    limits,
  }
  const native = await gate
    .pass(() => engine.build(toBuild))
    .catch((error: unknown) => {
      throw engineRefusal(error, record)
    })
  const shell = new GatedShell(native, gate)
  const config = await shell.config()
  refuseUnmirrored(config, binds)
  if (record.configFile !== undefined) refuseCredentials(config as ShellDescription)
  const effective = readEffective(config)
  const { maxFileSize } = effective
  const skipped = await start.putFiles(shell, maxFileSize)
  if (record.tree !== undefined)
    await loadOnDemand().putTree(shell, record.tree, {
      bindDestinations: effective.bindDestinations,
      places: new Set(places),
    })
  const mirroring = await prepared?.fill(shell, { bounds: record.mirror, maxFileSize })
  await start.enter(shell)
  shell.begin(preludeOf(record))
  const { mirror } = record
  return {
    shell,
    settings: {
      ...effective,
      maxOutput,
      binds,
      mirror,
      places: new Set(places),
      skipped,
      handsOver: record.handsOver === 'call',
    },
    mirroring,
  }
}

/** A config file that could not be read here may have a bind that the engine would serve itself, and lose data in. */
function refuseUnmirrored(config: unknown, binds: readonly BindRecord[]): void {
  const own = new Set(binds.map(({ destination }) => destination))
  for (const { destination, mode, readonly } of (config as ShellDescription).binds) {
    if (mode !== 'direct' || readonly || own.has(destination)) continue
    throw new FarError({
      code: 'INVALID_CONFIG',
      field: 'configFile',
      message: `configFile has a writable direct bind at '${destination}' in a form that cannot be taken over for mirroring. Name it in binds instead.`,
    })
  }
}

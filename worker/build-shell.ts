import { realpathSync } from 'node:fs'
import type { BindRecord, ShellRecord } from '../src/contract/shell-record.ts'
import { maxOutputOf } from './config-file.ts'
import { type EffectiveConfig, readEffective } from './effective-config.ts'
import type { Engine } from './engine.ts'
import { FarError } from './far-error.ts'
import { DEFAULT_MAX_OUTPUT, engineMaxOutput } from './guards/engine-limits.ts'
import { PRELUDE } from './guards/prelude.ts'
import type { NativeShell } from './native-shell.ts'

/** What the service of a shell has to know of its config. */
export interface ShellSettings extends EffectiveConfig {
  /** Bytes. */
  readonly maxOutput: number
}

/** Builds a native shell from a record, in this thread, with the session guards in place. */
export async function buildShell(
  engine: Engine,
  record: ShellRecord,
): Promise<{ shell: NativeShell; settings: ShellSettings }> {
  const binds = record.binds.map(resolveSource)
  const maxOutput = record.limits.maxOutput ?? (await maxOutputIn(record)) ?? DEFAULT_MAX_OUTPUT
  const limits = { ...record.limits, maxOutput: engineMaxOutput(maxOutput) }
  const shell = await engine.build({ ...record, binds, limits }).catch((error: unknown) => {
    throw refused(error, record)
  })
  const effective = readEffective(await shell.config())
  await shell.run(PRELUDE)
  return {
    shell,
    settings: { ...effective, maxOutput },
  }
}

async function maxOutputIn({ configFile }: ShellRecord): Promise<number | undefined> {
  return configFile === undefined ? undefined : maxOutputOf(configFile)
}

/** Follows links: of a source that is one, the engine would copy the link alone. */
function resolveSource(bind: BindRecord, index: number): BindRecord {
  try {
    return { ...bind, source: realpathSync(bind.source) }
  } catch (error) {
    const field = `binds[${index}].source`
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new FarError({
      code: 'INVALID_CONFIG',
      field,
      message: `${field}: expected an existing file or directory of the host, got '${bind.source}' (${reason}). Create it first or correct the path.`,
    })
  }
}

/** The engine's refusal, with no token in it. */
function refused(error: unknown, record: ShellRecord): FarError {
  let text = error instanceof Error ? error.message : String(error)
  const { configFile } = record
  for (const { token } of record.credentials) text = text.replaceAll(token, '[secret]')
  return new FarError({
    code: 'INVALID_CONFIG',
    field: configFile === undefined ? 'config' : 'configFile',
    message: `The engine refused ${configFile === undefined ? 'this config' : `this config or its file '${configFile}'`}: ${text}. Correct it and open again.`,
    detail: text,
  })
}

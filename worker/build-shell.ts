import { statSync } from 'node:fs'
import type { BindRecord, ShellRecord } from '../src/contract/shell-record.ts'
import { readEffective } from './effective-config.ts'
import type { Engine } from './engine.ts'
import { FarError } from './far-error.ts'
import { DEFAULT_MAX_FILE_SIZE, DEFAULT_MAX_OUTPUT, engineMaxOutput } from './guards/engine-limits.ts'
import { PRELUDE } from './guards/prelude.ts'
import type { NativeShell } from './native-shell.ts'

/** What the service of a shell has to know of its config. */
export interface ShellSettings {
  /** Seconds. */
  readonly timeout: number
  /** Bytes. */
  readonly maxOutput: number
  /** Bytes. */
  readonly maxFileSize: number
  readonly bindDestinations: readonly string[]
}

/** Builds a native shell from a record, in this thread, with the session guards in place. */
export async function buildShell(
  engine: Engine,
  record: ShellRecord,
): Promise<{ shell: NativeShell; settings: ShellSettings }> {
  record.binds.forEach(requireSource)
  const maxOutput = record.limits.maxOutput ?? DEFAULT_MAX_OUTPUT
  const limits = { ...record.limits, maxOutput: engineMaxOutput(maxOutput) }
  const shell = await engine.build({ ...record, limits }).catch((error: unknown) => {
    throw refused(error, record)
  })
  const { timeout, maxFileSize, binds } = readEffective(await shell.config())
  await shell.run(PRELUDE.join('\n'))
  return {
    shell,
    settings: {
      timeout,
      maxOutput,
      maxFileSize: maxFileSize ?? DEFAULT_MAX_FILE_SIZE,
      bindDestinations: binds,
    },
  }
}

function requireSource(bind: BindRecord, index: number): void {
  const field = `binds[${index}].source`
  try {
    statSync(bind.source)
  } catch (error) {
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
  for (const { token } of record.credentials) text = text.replaceAll(token, '[secret]')
  return new FarError({
    code: 'INVALID_CONFIG',
    field: 'config',
    message: `The engine refused this config: ${text}`,
    detail: text,
  })
}

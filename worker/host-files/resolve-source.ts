import { realpathSync } from 'node:fs'
import type { BindRecord } from '../../src/contract/shell-record.ts'
import { FarError } from '../service/far-error.ts'

/** The bind with the real path of its source: a source may be a link. @throws FarError `INVALID_CONFIG` if there is none */
export function resolveSource(bind: BindRecord, index: number): BindRecord {
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

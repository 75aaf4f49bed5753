import { realpathSync } from 'node:fs'
import type { BindRecord } from '../../src/contract/shell-record.ts'
import { FarError } from '../service/far-error.ts'
import { systemCode } from '../service/system-code.ts'

/** The bind with the real path of its source: a source may be a link. @throws FarError `INVALID_CONFIG` if there is none */
export function resolveSource<Bind extends Pick<BindRecord, 'source'>>(bind: Bind, index: number): Bind {
  try {
    return { ...bind, source: realpathSync(bind.source) }
  } catch (error) {
    const field = `binds[${index}].source`
    const reason = systemCode(error) ?? String(error)
    throw new FarError({
      code: 'INVALID_CONFIG',
      field,
      message: `${field}: expected an existing file or directory of the host, got '${bind.source}' (${reason}). Create it first or correct the path.`,
    })
  }
}

import { FarError } from '../../service/far-error.ts'
import type { BindName } from './bind-key.ts'

/** A snapshot has changes of a bind that the sandbox does not have. */
export function unbound({ mode, destination }: BindName): FarError {
  const bind = mode === 'copy' ? 'a writable copy' : 'a writable direct bind'
  const message = `It has changes of ${bind} at '${destination}', and this sandbox has none there. Bind the directory with mode: '${mode}', or take the files of the sandbox alone with filesOnly: true.`
  return new FarError({ code: 'INVALID_CONFIG', field: 'snapshot', message })
}

import { FarError } from '../../../service/far-error.ts'

/** The limits of commands have ended a look at the session. */
export function untold(): FarError {
  const message =
    'The state of the session could not be read within the limits of commands: raise timeout, or unset what is long.'
  return new FarError({ code: 'IO_ERROR', message })
}

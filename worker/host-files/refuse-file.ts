import { FarError } from '../service/far-error.ts'

/** The error of a file that a session could not begin with. */
export function refuseFile(path: string, reason: string): FarError {
  const field = `files[${JSON.stringify(path)}]`
  const message = `${field} could not be put into the sandbox: ${reason}`
  return new FarError({ code: 'INVALID_CONFIG', field, message })
}

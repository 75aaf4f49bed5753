import { FarError } from './far-error.ts'

/** An engine was given the record of another one. */
export function wrongRecord(engine: string): FarError {
  const message = `This engine builds no shell from a record of the engine '${engine}'.`
  return new FarError({ code: 'INVALID_CONFIG', field: 'engine', message })
}

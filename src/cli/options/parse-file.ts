import { usageError } from '../failure.ts'

/** A host file or directory, and where it goes in the sandbox. */
export interface FileOption {
  readonly source: string
  readonly path: string
}

/** Parses `SRC:DST`. DST comes after the last colon: SRC may hold colons. @throws CliError saying what the form is */
export function parseFile(spec: string): FileOption {
  const colon = spec.lastIndexOf(':')
  const source = spec.slice(0, Math.max(colon, 0))
  const path = spec.slice(colon + 1)
  if (source !== '' && path.startsWith('/')) return { source, path }
  throw usageError(
    `--file: expected SRC:DST with an absolute DST, as in ./data.csv:/data/in.csv, but got ${JSON.stringify(spec)}.`,
  )
}

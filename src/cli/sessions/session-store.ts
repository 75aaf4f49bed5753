import { chmod, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SandboxConfigError } from '../../sandbox/errors.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { quote } from '../../sandbox/show-value.ts'
import { type DirectoryStore, directoryStore } from '../../snapshot/directory-store/directory-store.ts'
import { nameOfId } from '../../snapshot/directory-store/ids.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, PROGRAM, usageError } from '../failure.ts'
import { stateFile } from '../options/state-file.ts'

/** What is behind a name for the one that its session may be stored under where another process has it. */
const longestSuffix = '-9999'

/** The sessions that the command line keeps. */
export interface SessionDirectory {
  readonly path: string
  readonly store: DirectoryStore
}

/**
 * The directory that `--sessions` names, or else the one of this user, which others cannot enter. Made where it is missing.
 *
 * @throws CliError where it cannot be used
 */
export async function openSessions(given: string | undefined): Promise<SessionDirectory> {
  const path = given === undefined ? stateFile('sessions') : resolve(given)
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (given === undefined) await chmod(path, 0o700)
  } catch (cause) {
    throw new CliError(`the directory of sessions cannot be used: ${errorMessage(cause)}.`, EXIT.runtime, {
      cause,
    })
  }
  return { path, store: directoryStore(path) }
}

/** @throws CliError for what cannot be the name of a new session */
export function requireSessionName(what: string, name: string): string {
  return requireStorable(what, name, `${name}${longestSuffix}`)
}

/** @throws CliError for what is the name of no session */
export function requireStoredName(name: string): string {
  return requireStorable('NAME', name, name)
}

/** @throws CliError where there is no such session */
export function noSession(name: string, { path }: SessionDirectory): CliError {
  return usageError(
    `there is no session ${quote(name)} in ${JSON.stringify(path)}. "${PROGRAM} sessions" lists what there is.`,
  )
}

function requireStorable(what: string, name: string, longest: string): string {
  try {
    nameOfId(name)
    nameOfId(longest)
    return name
  } catch (cause) {
    if (!(cause instanceof SandboxConfigError)) throw cause
    throw usageError(`${what}: ${cause.message.replace(/^.*?\bid (?=must|is)/, 'the name ')}`, { cause })
  }
}

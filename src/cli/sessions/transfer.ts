import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SandboxConfigError, SnapshotError } from '../../sandbox/errors.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { quote } from '../../sandbox/show-value.ts'
import { resolveLimits } from '../../snapshot/limits.ts'
import { Snapshot } from '../../snapshot/snapshot.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, usageError } from '../failure.ts'
import { bytesOfStream } from '../options/standard-input.ts'
import type { Output } from '../output.ts'
import { noSession, openSessions, requireSessionName, requireStoredName } from './session-store.ts'

/** Options of `snapshot`, as commander hands them over. */
export interface SnapshotOptions {
  readonly sessions?: string
  readonly gzip?: boolean
  /** The variable that has the key. */
  readonly keyEnv?: string
}

/** Options of `restore`, as commander hands them over. */
export interface RestoreOptions {
  readonly sessions?: string
  readonly force?: boolean
  /** The variable that has the key. */
  readonly keyEnv?: string
}

/** Writes a stored session into a file, or to standard output where the path is `-`. */
export async function writeSnapshot(
  name: string,
  file: string,
  { sessions, gzip = false, keyEnv }: SnapshotOptions,
  stdout: Output,
): Promise<void> {
  const directory = await openSessions(sessions)
  const snapshot = await directory.store.get(requireStoredName(name))
  if (snapshot === undefined) throw noSession(name, directory)
  const bytes = await inTermsOfKey(keyEnv, () => snapshot.toBytes({ gzip, key: keyOf(keyEnv) }))
  if (file === '-') await stdout.write(bytes)
  else await writeWhole(file, bytes)
}

/** Stores a file, or standard input where the path is `-`, as a session. */
export async function restoreSession(
  name: string,
  file: string,
  { sessions, force = false, keyEnv }: RestoreOptions,
): Promise<void> {
  requireSessionName('NAME', name)
  const { store } = await openSessions(sessions)
  if (!force && (await store.find(name)) !== undefined)
    throw usageError(`there is a session ${quote(name)}. Replace it with --force, or take another name.`)
  await store.put(name, await readSnapshot(file, keyEnv))
}

async function readSnapshot(file: string, keyEnv: string | undefined): Promise<Snapshot> {
  const source = file === '-' ? process.stdin : createReadStream(file)
  const key = keyOf(keyEnv)
  const { maxBytes } = resolveLimits()
  const where = file === '-' ? 'standard input' : JSON.stringify(file)
  try {
    const bytes = await bytesOfStream(source, 'the snapshot', { most: maxBytes, where })
    return await inTermsOfKey(keyEnv, () => Snapshot.from(bytes, { key }))
  } catch (cause) {
    if (!(cause instanceof SnapshotError)) throw cause
    throw usageError(
      `${where}: ${cause.message.replace(/ Pass its `key`\./, ' Name its key with --key-env.')}`,
      {
        cause,
      },
    )
  }
}

/** @throws CliError where the variable is not set */
function keyOf(keyEnv: string | undefined): string | undefined {
  if (keyEnv === undefined) return undefined
  const key = process.env[keyEnv]
  if (key !== undefined) return key
  throw usageError(`--key-env: the variable ${quote(keyEnv)} is not set.`)
}

async function inTermsOfKey<T>(keyEnv: string | undefined, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (keyEnv === undefined || !(cause instanceof SandboxConfigError) || cause.field !== 'key') throw cause
    throw usageError(`--key-env ${keyEnv}: ${cause.message}`, { cause })
  }
}

/** Writes a file for its owner alone: it is there as a whole, or as it was before. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = join(dirname(path), `.${randomUUID()}.part`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    throw new CliError(`the snapshot could not be written: ${errorMessage(cause)}.`, EXIT.runtime, { cause })
  }
}

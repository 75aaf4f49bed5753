import type { EngineName } from '../../contract/lease.ts'
import { SnapshotError } from '../../sandbox/errors.ts'
import { foreignText } from '../../sandbox/message-text.ts'
import type { StoredSnapshot } from '../../snapshot/store.ts'
import { EXIT } from '../exit-codes.ts'
import { describeFailure } from '../failure.ts'
import type { Outputs } from '../output.ts'
import { writeRecord } from '../records.ts'
import { noSession, openSessions, requireStoredName, type SessionDirectory } from './session-store.ts'

/** Options of `sessions`, as commander hands them over. */
export interface SessionsOptions {
  readonly sessions?: string
  readonly json?: boolean
  /** The name of a session. */
  readonly delete?: string
}

/** A stored session, as `--json` prints it. */
interface SessionRow {
  readonly name: string
  /** Undefined where it cannot be read. */
  readonly shell?: EngineName
  readonly storedAt: string
  readonly sizeBytes?: number
}

/** Lists the stored sessions, or deletes one; gives the exit code. */
export async function sessions(
  { sessions: given, json = false, delete: name }: SessionsOptions,
  outputs: Outputs,
): Promise<number> {
  const directory = await openSessions(given)
  if (name === undefined) return list(directory, json, outputs)
  if ((await directory.store.find(requireStoredName(name))) === undefined) throw noSession(name, directory)
  await directory.store.delete(name)
  await directory.store.collect()
  return 0
}

async function list(
  { store }: SessionDirectory,
  json: boolean,
  { stdout, stderr }: Outputs,
): Promise<number> {
  let exitCode = 0
  const rows: SessionRow[] = []
  for (const stored of [...(await store.list())].sort(byName)) {
    const row = { name: stored.id, storedAt: stored.storedAt.toISOString() }
    try {
      // One that was deleted meanwhile is none.
      const snapshot = await store.get(stored.id)
      if (snapshot !== undefined) rows.push({ ...row, shell: snapshot.engine, sizeBytes: snapshot.sizeBytes })
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      exitCode = EXIT.failed
      rows.push(row)
      await stderr.write(describeFailure(error))
    }
  }
  await (json ? writeRecord(stdout, { sessions: rows }) : stdout.write(rows.map(lineOf).join('')))
  return exitCode
}

function byName(one: StoredSnapshot, other: StoredSnapshot): number {
  return one.id < other.id ? -1 : 1
}

function lineOf({ name, shell, storedAt, sizeBytes }: SessionRow): string {
  const size = sizeBytes === undefined ? '-' : String(sizeBytes)
  return `${foreignText(name)}\t${shell ?? 'damaged'}\t${storedAt}\t${size}\n`
}

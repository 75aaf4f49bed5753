import { errorCode } from './error-code.ts'
import { isError } from './kinds.ts'

/** What Node is started with to allow something, by the name of the permission. */
const flags: Readonly<Record<string, string>> = {
  ChildProcess: "`--allow-child-process`, or take isolation: 'worker' or 'shared'",
  FileSystemRead: '`--allow-fs-read`',
  FileSystemWrite: '`--allow-fs-write`',
  // Later versions hand their permissions to child processes.
  WorkerThreads: "`--allow-worker`; in Node 20, isolation: 'process' does without",
}

/** What Node's permission model forbade, and what helps; undefined for any other error. */
export function forbiddenByNode(error: unknown): string | undefined {
  if (!isError(error) || errorCode(error) !== 'ERR_ACCESS_DENIED') return undefined
  const permission = 'permission' in error ? String(error.permission) : ''
  const resource = 'resource' in error && error.resource ? ` of '${String(error.resource)}'` : ''
  const flag = flags[permission] ?? 'what allows it'
  return `Node's permission model does not allow ${permission || 'this'}${resource} (${error.message}). Start Node with ${flag}.`
}

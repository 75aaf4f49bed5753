import { lstat, mkdir } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** Names the one directory that may hold prepared engines; no other is then tried. */
export const CACHE_VARIABLE = 'STRANDS_SHELL_RUNTIME_CACHE'

const NAME = 'strands-shell-runtime'

/** Where a prepared engine may be kept, best first. */
export function cacheDirectories(env: NodeJS.ProcessEnv): readonly string[] {
  const chosen = env[CACHE_VARIABLE]
  if (chosen !== undefined && chosen !== '') return [resolve(chosen)]
  const xdg = env['XDG_CACHE_HOME']
  const home = env['HOME'] ?? homeDirectory()
  return [
    ...(xdg !== undefined && isAbsolute(xdg) ? [join(xdg, NAME)] : []),
    ...(home === undefined || !isAbsolute(home) ? [] : [join(home, '.cache', NAME)]),
    join(tmpdir(), `${NAME}-${process.geteuid?.() ?? 'user'}`),
  ]
}

/**
 * Makes sure that a directory exists, is a real one, belongs to this user and can be written by
 * nobody else. What exists is never changed.
 * @throws Error saying what is wrong with it.
 */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  if (!(await exists(path))) {
    await makeDirectories(path)
  }
  const stat = await lstat(path)
  if (stat.isSymbolicLink()) throw new Error('is a symbolic link, expected a directory')
  if (!stat.isDirectory()) throw new Error('is not a directory')
  assertPrivate(stat)
}

/**
 * Makes a directory and those that lead to it, one by one: Node's own recursive form never ends where a file
 * system answers ENOENT below a directory that exists, as under `/proc`.
 */
async function makeDirectories(path: string): Promise<void> {
  const missing = [path]
  for (let parent = dirname(path); !(await exists(parent)); parent = dirname(parent)) missing.unshift(parent)
  for (const directory of missing) {
    try {
      await mkdir(directory, { mode: 0o700 })
    } catch (error) {
      // Another process may have made it since; the last one is checked like any other.
      if (!isCode(error, 'EEXIST')) throw error
    }
  }
}

/**
 * Checks that a file or directory belongs to this user and can be written by nobody else.
 * @throws Error saying what is wrong with it.
 */
export function assertPrivate(stat: { readonly uid: number; readonly mode: number }): void {
  const uid = process.geteuid?.()
  if (uid !== undefined && stat.uid !== uid)
    throw new Error(`belongs to user ${stat.uid}, expected user ${uid}`)
  if ((stat.mode & 0o022) !== 0) {
    throw new Error(
      `can be written by other users (mode ${(stat.mode & 0o777).toString(8)}), expected mode 700`,
    )
  }
}

/** Whether `error` is a system error of this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

function homeDirectory(): string | undefined {
  try {
    return homedir()
  } catch {
    // A user without a home directory.
    return undefined
  }
}

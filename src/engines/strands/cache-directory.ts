import { lstat, mkdir, realpath } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { errorCode } from '../../sandbox/error-code.ts'
import { assertTrustedPath } from '../trusted-path.ts'

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
 * nobody else, and that nobody else can put another in its place. What exists is never changed.
 *
 * @returns its path without symbolic links: use that one from here on.
 * @throws Error saying what is wrong with it.
 */
export async function ensurePrivateDirectory(path: string): Promise<string> {
  const { existing, missing } = await split(path)
  if (missing.length === 0) return await checked(path)
  let directory = await realpath(existing)
  await assertTrustedPath(directory)
  for (const name of missing) {
    directory = join(directory, name)
    await makeDirectory(directory)
    await assertTrustedPath(directory)
  }
  return await checked(directory)
}

async function checked(path: string): Promise<string> {
  if ((await lstat(path)).isSymbolicLink()) throw new Error('is a symbolic link, expected a directory')
  const directory = await realpath(path)
  await assertTrustedPath(dirname(directory))
  const stat = await lstat(directory)
  if (!stat.isDirectory()) throw new Error('is not a directory')
  assertPrivate(stat)
  return directory
}

/** The part of a path that exists, and the names of the directories that do not. */
async function split(path: string): Promise<{ existing: string; missing: string[] }> {
  const missing: string[] = []
  let existing = path
  for (; !(await exists(existing)); existing = dirname(existing)) missing.unshift(basename(existing))
  return { existing, missing }
}

/** One at a time: Node's recursive form never ends where a file system answers ENOENT below a directory that exists, as under `/proc`. */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it since; it is checked like any other.
    if (errorCode(error) !== 'EEXIST') throw error
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

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
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

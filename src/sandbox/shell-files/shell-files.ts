import type { FileStat } from '../../contract/shell-api.ts'
import { SandboxIoError, SandboxPathNotFoundError } from '../errors.ts'
import type { ExecutionResult } from '../results.ts'
import { FILE_EXITS, failureMessage, scriptFailure } from './failure.ts'
import * as scripts from './scripts.ts'

/** What a sandbox must have for its file operations to be made of commands. */
export interface ShellPlace {
  execute(command: string): Promise<ExecutionResult>
  writeFile(path: string, content: Uint8Array): Promise<void>
  removeFile(path: string): Promise<void>
}

const facts = /^(file|directory|link|other) ([0-7]{1,5}) (\d{1,16}) (-?\d{1,12}(?:[.,]\d{1,9})?)$/

export async function exists(place: ShellPlace, path: string): Promise<boolean> {
  try {
    await run(place, scripts.exists(path), 'look at', path)
    return true
  } catch (error) {
    if (error instanceof SandboxPathNotFoundError) return false
    throw error
  }
}

export async function stat(place: ShellPlace, path: string): Promise<FileStat> {
  const { stdout } = await run(place, scripts.stat(path), 'look at', path)
  const [, kind, mode = '', size, seconds = ''] = facts.exec(lastLine(stdout)) ?? []
  if (!isKind(kind)) {
    const reason = 'its facts could not be read from what `stat` printed.'
    throw new SandboxIoError(failureMessage('look at', path, reason), { path })
  }
  const modified = Number(seconds.replace(',', '.')) * 1000
  return { kind, size: Number(size), mode: Number.parseInt(mode, 8) & 0o7777, modified }
}

export async function makeDirectory(place: ShellPlace, path: string): Promise<void> {
  await run(place, scripts.makeDirectory(path), 'make the directory', path)
}

const placing = { move: scripts.move, copy: scripts.copy }

/** Moves or copies with one command. */
export async function placeAt(
  place: ShellPlace,
  act: 'move' | 'copy',
  from: string,
  to: string,
): Promise<void> {
  const result = await inSubshell(place, placing[act](from, to))
  if (result.exitCode === 0) return
  const { exitCode, stderr } = result
  const atTarget = exitCode >= scripts.AT_TARGET + FILE_EXITS.failed
  if (!atTarget) throw scriptFailure(result, act, from)
  throw scriptFailure({ exitCode: exitCode - scripts.AT_TARGET, stderr }, `${act} to`, to)
}

/**
 * Appends with one command, after the content has been staged in a file beside: other commands see the file without it or
 * with all of it, and appends that are made at the same time lose nothing.
 */
export async function appendFile(place: ShellPlace, path: string, content: Uint8Array): Promise<void> {
  await run(place, scripts.beginAppend(path), 'append to', path)
  const staged = `${path.slice(0, path.lastIndexOf('/') + 1)}.strands-${crypto.randomUUID()}`
  try {
    await place.writeFile(staged, content)
    await run(place, scripts.endAppend(path, staged), 'append to', path)
  } catch (error) {
    // The first cause wins over a failure to clean up after it.
    await Promise.allSettled([place.removeFile(staged)])
    throw error
  }
}

/** The variables of a script are its own, and its `exit` ends nothing else. */
function inSubshell(place: ShellPlace, script: string): Promise<ExecutionResult> {
  return place.execute(`(${script}\n)`)
}

async function run(place: ShellPlace, script: string, verb: string, path: string): Promise<ExecutionResult> {
  const result = await inSubshell(place, script)
  if (result.exitCode === 0) return result
  throw scriptFailure(result, verb, path)
}

/** A profile may print something before. */
function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}

function isKind(text: string | undefined): text is FileStat['kind'] {
  return text === 'file' || text === 'directory' || text === 'link' || text === 'other'
}

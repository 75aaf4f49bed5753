import { inBatches } from '../../../../host-files/batches.ts'
import { depthOf, parentOf } from '../../../../host-files/paths.ts'
import type { SandboxEntry } from '../../../../host-files/types.ts'
import { fileErrorOf } from '../../guards/file-errors.ts'
import type { NativeShell } from '../../native-shell.ts'
import { quoted } from '../../quoting.ts'
import type { Place } from './place.ts'
import { commandLines, cutShort, runScript } from './script.ts'

/** Where things are brought in. */
export type Target = Pick<Place, 'root' | 'isFile' | 'path'> & {
  /** A file that is touched afterwards; undefined: none. */
  readonly stamp?: string | undefined
}

/** One thing to bring into the sandbox. `before`: what the sandbox has there. */
export interface Incoming {
  readonly rel: string
  readonly before: Pick<SandboxEntry, 'kind' | 'mode'> | undefined
  /** Absent: remove it. */
  readonly after:
    | {
        readonly kind: 'file'
        readonly mode: number
        readonly size: number
        readonly read: () => Uint8Array | undefined
      }
    | { readonly kind: 'directory'; readonly mode: number }
    | { readonly kind: 'link'; readonly target: string }
    | undefined
}

/**
 * Brings changes of the host into the sandbox and touches the stamp, so that they do not look like changes of the
 * sandbox. A file whose `read` returns nothing is left out.
 *
 * @param modeOf - the permission bits of an existing directory. Write-protected ones are made writable meanwhile.
 * @param sizes - gets the size of each file written, in bytes.
 * @returns the paths that the sandbox did not accept: it is full, or has something else there.
 */
export async function bringIn(
  shell: NativeShell,
  place: Target,
  incoming: readonly Incoming[],
  modeOf: (rel: string) => number | undefined,
  sizes: Map<string, number>,
): Promise<Set<string>> {
  const refused = new Set<string>()
  const modes = new Map<string, number>()
  await unlock(shell, place, incoming, modeOf, modes)
  try {
    await removeAndMake(shell, place, incoming, refused)
    const sizeOf = ({ after }: Incoming) => (after?.kind === 'file' ? after.size : 0)
    await inBatches(incoming, sizeOf, async ({ rel, after }) => {
      if (after === undefined || after.kind === 'link' || refused.has(rel)) return
      const bytes = after.kind === 'file' ? after.read() : undefined
      if (after.kind === 'file' && bytes === undefined) return
      if (bytes !== undefined) {
        if (!(await isTaken('writeFile', place.path(rel), (path) => shell.writeFile(path, bytes)))) {
          refused.add(rel)
          return
        }
        sizes.set(rel, bytes.byteLength)
      }
      modes.set(rel, after.mode)
    })
  } finally {
    const touch = place.stamp === undefined ? [] : [`'touch' ${place.stamp}`]
    await runAll(shell, [...chmodLines(place, modes), ...touch])
  }
  return refused
}

/** Makes write-protected directories and files writable, and adds their permission bits to `modes`, to be restored. */
async function unlock(
  shell: NativeShell,
  place: Target,
  incoming: readonly Incoming[],
  modeOf: (rel: string) => number | undefined,
  modes: Map<string, number>,
): Promise<void> {
  const locked = new Map<string, number>()
  const check = (rel: string, mode: number | undefined) => {
    if (mode !== undefined && (mode & 0o200) === 0) locked.set(rel, mode)
  }
  for (const { rel, before } of incoming) {
    check(parentOf(rel), rel === '' ? undefined : modeOf(parentOf(rel)))
    if (before !== undefined && before.kind !== 'link') check(rel, before.mode)
  }
  // The root's own permission bits are not mirrored, and not known.
  const root = !place.isFile && incoming.some(({ rel }) => parentOf(rel) === '') ? [place.root] : []
  if (locked.size === 0 && root.length === 0) return
  for (const [rel, mode] of locked) modes.set(rel, mode)
  await runAll(
    shell,
    commandLines("'chmod' 'u+w'", [...root, ...[...locked.keys()].map((rel) => place.path(rel))]),
  )
  for (const { rel, after } of incoming) if (after === undefined) modes.delete(rel)
}

async function removeAndMake(
  shell: NativeShell,
  place: Target,
  incoming: readonly Incoming[],
  refused: Set<string>,
): Promise<void> {
  const remove = async (rel: string) => {
    const isGone = await isTaken('removeFile', place.path(rel), (path) => shell.removeFile(path))
    if (!isGone) refused.add(rel)
  }
  const deepFirst = [...incoming].sort((a, b) => depthOf(b.rel) - depthOf(a.rel))
  const gone: string[] = []
  for (const { rel, before, after } of deepFirst) {
    if (before === undefined || before.kind === after?.kind) {
      if (before?.kind === 'link') await remove(rel)
      continue
    }
    if (before.kind !== 'directory') await remove(rel)
    else gone.push(place.path(rel))
  }
  const shallowFirst = deepFirst.reverse()
  const made = shallowFirst.filter(
    ({ before, after }) => after?.kind === 'directory' && before?.kind !== 'directory',
  )
  const lines = [
    // `rm -rf` does not empty a write-protected directory, and reports no error.
    ...gone.map((path) => `'find' ${quoted(path)} '-type' 'd' '-exec' 'chmod' 'u+w' '{}' ';'`),
    ...commandLines("'rm' '-rf'", gone),
  ]
  if (lines.length > 0) await runAll(shell, lines)
  const lineOf = ({ rel, after }: Incoming): string => {
    const path = quoted(place.path(rel))
    if (after?.kind !== 'link') return `'mkdir' '-p' ${path}`
    return `'[' '-L' ${path} ']' || 'ln' '-s' '--' ${quoted(after.target)} ${path}`
  }
  await make(shell, made, lineOf, refused)
  await make(
    shell,
    incoming.filter(({ rel, after }) => after?.kind === 'link' && !refused.has(rel)),
    lineOf,
    refused,
  )
}

/** Makes directories or links. Those that cannot be made are added to `refused`. */
async function make(
  shell: NativeShell,
  items: readonly Incoming[],
  lineOf: (item: Incoming) => string,
  refused: Set<string>,
): Promise<void> {
  const output = await runAll(
    shell,
    items.map((item, index) => `{ ${lineOf(item)}; } || 'echo' '${index}'`),
  )
  for (const index of output.split('\n').slice(0, -1)) refused.add(items[Number(index)]?.rel ?? '')
}

function chmodLines(place: Target, modes: ReadonlyMap<string, number>): string[] {
  const byMode = new Map<number, string[]>()
  for (const [rel, mode] of modes) {
    if (rel === '' && !place.isFile) continue
    const paths = byMode.get(mode) ?? []
    paths.push(place.path(rel))
    byMode.set(mode, paths)
  }
  return [...byMode].flatMap(([mode, paths]) => commandLines(`'chmod' '${mode.toString(8)}'`, paths))
}

/**
 * Runs lines, fewer at a time if the engine's deadline ends them early.
 * @returns what they printed.
 */
async function runAll(shell: NativeShell, lines: readonly string[]): Promise<string> {
  let printed = ''
  for (let from = 0, size = 200; from < lines.length; ) {
    const output = await runScript(shell, lines.slice(from, from + size))
    if (output !== undefined) {
      printed += output
      from += size
    } else if (size > 1) size = Math.ceil(size / 4)
    else throw cutShort()
  }
  return printed
}

/** Whether a file operation succeeded. The removal of a missing file counts as a success. */
async function isTaken(
  operation: 'writeFile' | 'removeFile',
  path: string,
  act: (path: string) => Promise<void>,
): Promise<boolean> {
  try {
    await act(path)
    return true
  } catch (error) {
    const { failure } = fileErrorOf(operation, path, error)
    return operation === 'removeFile' && failure.error.code === 'PATH_NOT_FOUND'
  }
}

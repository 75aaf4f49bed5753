import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { SandboxLimitError, SandboxPathNotFoundError } from '../sandbox/errors.ts'
import { quote } from '../sandbox/show-value.ts'
import { childPath, childRel } from '../sandbox/transfer/transfer.ts'
import { ServiceProblem } from './service-problem.ts'

/** Files and directories of one tar, at most. */
const mostEntries = 10_000
/** Bytes of its files. */
const mostBytes = 256 * 2 ** 20
/** How many directories deep it goes. */
const mostDepth = 100

/** Bytes that end a tar: two blocks of zeros. */
const endBytes = 1024

/** What was taken out of a tar. */
export interface UnpackReport {
  readonly files: number
  readonly directories: number
  /** Names of entries that are neither a file nor a directory. */
  readonly skipped: readonly string[]
}

/** A file or a directory that goes into a tar. */
interface SourceEntry {
  readonly kind: 'file' | 'directory'
  /** In the sandbox. */
  readonly path: string
  /** In the tar. */
  readonly name: string
  readonly mode: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /** Bytes. */
  readonly size: number
}

/**
 * What is in a directory of a sandbox: files and directories. Links, devices and pipes are left out.
 *
 * @throws {SandboxPathNotFoundError} where it is no directory
 * @throws {SandboxLimitError} where there is more than a tar may have
 */
export async function entriesOfDirectory(
  sandbox: HostedSandbox,
  path: string,
): Promise<readonly SourceEntry[]> {
  const entries: SourceEntry[] = []
  let bytes = 0
  const add = async (at: string, rel: string, depth: number): Promise<void> => {
    if (depth > mostDepth) throw tooMuch('maxDepth', mostDepth)
    for (const { name } of await sandbox.listFiles(at)) {
      const child = childPath(at, name)
      const { kind, mode, modified, size } = await sandbox.stat(child)
      if (kind !== 'file' && kind !== 'directory') continue
      if (entries.length >= mostEntries) throw tooMuch('maxFiles', mostEntries)
      const entry = { kind, path: child, name: childRel(rel, name), mode, modified, size: 0 }
      if (kind === 'directory') {
        entries.push(entry)
        await add(child, entry.name, depth + 1)
        continue
      }
      bytes += size
      if (bytes > mostBytes) throw tooMuch('maxBytes', mostBytes)
      entries.push({ ...entry, size })
    }
  }
  await add(path, '', 0)
  return entries
}

/** The tar of these entries, in pieces: a file is read when it is wanted. */
export async function* packed(
  sandbox: HostedSandbox,
  entries: readonly SourceEntry[],
): AsyncGenerator<Uint8Array, void> {
  const { packTar } = await import('modern-tar')
  for (const { kind, path, name, mode, modified } of entries) {
    const header = { mode, mtime: new Date(modified) }
    const body = kind === 'file' ? await sandbox.readFile(path) : undefined
    const tar = await packTar([
      body === undefined
        ? { header: { ...header, name: `${name}/`, size: 0, type: 'directory' } }
        : { header: { ...header, name, size: body.byteLength, type: 'file' }, body },
    ])
    yield tar.subarray(0, -endBytes)
  }
  yield new Uint8Array(endBytes)
}

/**
 * Puts what a tar holds into a directory of a sandbox, which is made. Files that can be executed stay so; other modes, owners and
 * times are not taken.
 *
 * @throws {ServiceProblem} for what is no tar, or has a name that leads out of the directory; nothing is written then
 * @throws {SandboxLimitError} where it has more than a tar may have
 */
export async function unpackDirectory(
  sandbox: HostedSandbox,
  path: string,
  tar: Uint8Array,
): Promise<UnpackReport> {
  const entries = await entriesOf(tar)
  await sandbox.makeDirectory(path)
  const skipped: string[] = []
  const executable: string[] = []
  let files = 0
  let directories = 0
  for (const { name, type, mode, data } of entries) {
    const at = childPath(path, name)
    if (type === 'directory') {
      await sandbox.makeDirectory(at)
      directories += 1
    } else if (type === 'file') {
      await sandbox.writeFile(at, data)
      if ((mode & 0o100) !== 0) executable.push(at.startsWith('/') ? at : `./${at}`)
      files += 1
    } else skipped.push(name)
  }
  await makeExecutable(sandbox, executable)
  return { files, directories, skipped }
}

interface TarEntry {
  readonly name: string
  readonly type: string
  readonly mode: number
  readonly data: Uint8Array
}

async function entriesOf(tar: Uint8Array): Promise<readonly TarEntry[]> {
  const { unpackTar } = await import('modern-tar')
  let count = 0
  let bytes = 0
  try {
    const entries = await unpackTar(tar, {
      strict: true,
      filter: ({ name, size }) => {
        count += 1
        bytes += size
        if (count > mostEntries) throw tooMuch('maxFiles', mostEntries)
        if (bytes > mostBytes) throw tooMuch('maxBytes', mostBytes)
        requireInside(name)
        return true
      },
    })
    return entries
      .map(({ header: { name, type = 'file', mode = 0o644 }, data = new Uint8Array(0) }) => ({
        name: name.replace(/^(\.?\/)+/, '').replace(/\/+$/, ''),
        type,
        mode,
        data,
      }))
      .filter(({ name }) => name !== '' && name !== '.')
  } catch (error) {
    if (error instanceof ServiceProblem || error instanceof SandboxLimitError) throw error
    throw new ServiceProblem('INVALID_REQUEST', 'The body is no tar, or is cut.', { field: 'body' })
  }
}

function requireInside(name: string): void {
  if (!name.split('/').includes('..') && !name.includes('\0')) return
  throw new ServiceProblem(
    'INVALID_REQUEST',
    `The tar has the name ${quote(name)}, which leads out of the directory.`,
    {
      field: 'body',
    },
  )
}

async function makeExecutable(sandbox: HostedSandbox, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += 100) {
    const env = Object.fromEntries(paths.slice(at, at + 100).map((each, index) => [`p${index}`, each]))
    const words = Object.keys(env).map((name) => `"$${name}"`)
    const { exitCode, stderr } = await sandbox.execute(`chmod +x ${words.join(' ')}`, { env })
    if (exitCode !== 0)
      throw new SandboxPathNotFoundError(`chmod failed: ${stderr}`, { path: paths[at] ?? '' })
  }
}

function tooMuch(limit: string, value: number): SandboxLimitError {
  return new SandboxLimitError(`A tar may have at most ${value} (${limit}).`, { limit, value })
}

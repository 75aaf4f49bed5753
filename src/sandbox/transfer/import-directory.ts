import type { FileHandle } from 'node:fs/promises'
import { closing } from '../../async/closing.ts'
import { errorCode } from '../error-code.ts'
import { SandboxIoError, SandboxPermissionError } from '../errors.ts'
import { makeExecutable } from '../shell-files/scripts.ts'
import { quote } from '../show-value.ts'
import { HostDirectory } from './host-directory.ts'
import { hostError } from './host-error.ts'
import { readFile } from './read-file.ts'
import type { SkipReason, TransferReport, TransferRequest } from './request.ts'
import { childPath, childRel, isTooLarge, MAX_DEPTH, Transfer, type TransferSandbox } from './transfer.ts'

/** Why an entry of the host is skipped, by the error that the system gives for it. */
const reasons: Readonly<Record<string, SkipReason>> = {
  EACCES: 'denied',
  EPERM: 'denied',
  ELOOP: 'gone',
  ENOENT: 'gone',
  ENOTDIR: 'gone',
  ENXIO: 'special',
}

/** How many files one command makes executable. */
const MOST_AT_ONCE = 100

/** A directory that is copied. */
interface Place {
  readonly host: HostDirectory
  /** In the sandbox. */
  readonly path: string
  readonly rel: string
  readonly depth: number
}

/** Copies a directory of the host into a sandbox. */
export function importDirectory(sandbox: TransferSandbox, request: TransferRequest): Promise<TransferReport> {
  return new Import(sandbox, request).run()
}

class Import {
  readonly #sandbox: TransferSandbox
  readonly #request: TransferRequest
  readonly #transfer: Transfer
  #executable: string[] = []

  constructor(sandbox: TransferSandbox, request: TransferRequest) {
    this.#sandbox = sandbox
    this.#request = request
    this.#transfer = new Transfer(request)
  }

  async run(): Promise<TransferReport> {
    const { hostPath, path } = this.#request
    this.#transfer.checkSignal()
    const opened = await HostDirectory.open(hostPath).catch((error: unknown) => {
      throw hostError(error, 'read the directory', hostPath)
    })
    const reason = await closing(opened, async (host) => {
      await this.#transfer.call(() => this.#sandbox.makeDirectory(path))
      return this.#copyEntries({ host, path, rel: '', depth: 0 })
    })
    if (reason !== undefined) {
      const message = `Cannot read the directory ${quote(hostPath)} of the host: ${reason}.`
      throw new SandboxPermissionError(message, { path: hostPath })
    }
    await this.#makeExecutable(1)
    return this.#transfer.report
  }

  async #copyEntries(place: Place): Promise<SkipReason | undefined> {
    const transfer = this.#transfer
    const isWanted = (name: string, isDirectory: boolean) =>
      !transfer.isExcluded(childRel(place.rel, name), isDirectory)
    // One more than may come: it is met, and refused.
    const names = await this.#onHost(place.host.names(transfer.entriesLeft + 1, isWanted))
    if (typeof names === 'string') return names
    for (const [index, name] of names.entries()) {
      transfer.checkSignal()
      // Names that are no UTF-8 are all read as one.
      const reason = name === names[index - 1] ? 'name' : await this.#copyEntry(place, name)
      if (reason !== undefined) transfer.skip(childRel(place.rel, name), reason)
    }
    return undefined
  }

  /** @returns why it was not copied */
  async #copyEntry(place: Place, name: string): Promise<SkipReason | undefined> {
    const stats = await this.#onHost(place.host.look(name))
    // A name that is no UTF-8 is read as another one.
    if (typeof stats === 'string') return stats === 'gone' && name.includes('\ufffd') ? 'name' : stats
    if (stats.isSymbolicLink()) return 'link'
    if (stats.isDirectory()) return this.#copyDirectory(place, name)
    if (!stats.isFile()) return 'special'
    const handle = await this.#onHost(place.host.openFile(name))
    if (typeof handle === 'string') return handle
    try {
      return await this.#copyFile(place, name, handle)
    } finally {
      await handle.close()
    }
  }

  async #copyDirectory(place: Place, name: string): Promise<SkipReason | undefined> {
    const transfer = this.#transfer
    const rel = childRel(place.rel, name)
    if (transfer.isExcluded(rel, true)) return undefined
    if (place.depth >= MAX_DEPTH) return 'depth'
    transfer.checkEntry(rel)
    const host = await this.#onHost(place.host.child(name))
    if (typeof host === 'string') return host
    const path = childPath(place.path, name)
    const { files } = transfer.report
    const reason = await closing(host, () => this.#copyEntries({ host, path, rel, depth: place.depth + 1 }))
    if (reason !== undefined) return reason
    // Writing a file has made its directory.
    if (transfer.report.files === files) await transfer.call(() => this.#sandbox.makeDirectory(path))
    transfer.copiedDirectory(rel)
    return undefined
  }

  async #copyFile(place: Place, name: string, handle: FileHandle): Promise<SkipReason | undefined> {
    const transfer = this.#transfer
    const rel = childRel(place.rel, name)
    const stats = await this.#onHost(handle.stat())
    if (typeof stats === 'string') return stats
    if (!stats.isFile()) return 'special'
    transfer.checkEntry(rel)
    transfer.checkBytes(rel, stats.size)
    const content = await this.#onHost(readFile(handle, stats.size, transfer.bytesLeft))
    if (typeof content === 'string') return content
    transfer.checkBytes(rel, content?.length ?? Number.POSITIVE_INFINITY)
    if (content === undefined) return undefined
    const path = childPath(place.path, name)
    try {
      await transfer.call(() => this.#sandbox.writeFile(path, content))
    } catch (error) {
      if (isTooLarge(error)) return 'size'
      throw error
    }
    if ((stats.mode & 0o100) !== 0) this.#executable.push(path)
    await this.#makeExecutable(MOST_AT_ONCE)
    transfer.copiedFile(rel, content.length)
    return undefined
  }

  /** Makes files executable once there are so many. The command is scoped: nothing of it stays in a session. */
  async #makeExecutable(least: number): Promise<void> {
    const paths = this.#executable
    if (paths.length < least) return
    this.#executable = []
    const { command, env } = makeExecutable(paths)
    const { exitCode, stderr } = await this.#transfer.call(() => this.#sandbox.execute(command, { env }))
    if (exitCode === 0) return
    const [path = ''] = paths
    const message = `Imported files could not be made executable ('${path}' is one): ${stderr.trim().slice(0, 1000)}`
    throw new SandboxIoError(message, { path })
  }

  /** @returns what the host gives, or why the entry is skipped */
  async #onHost<T extends object | undefined>(act: Promise<T>): Promise<T | SkipReason> {
    try {
      return await act
    } catch (error) {
      const reason = reasons[errorCode(error) ?? '']
      if (reason === undefined) throw hostError(error, 'read', this.#request.hostPath)
      return reason
    }
  }
}

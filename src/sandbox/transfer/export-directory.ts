import { mkdir } from 'node:fs/promises'
import { closing } from '../../async/closing.ts'
import { errorCode } from '../error-code.ts'
import { SandboxPathNotFoundError, SandboxPermissionError } from '../errors.ts'
import type { FileInfo } from '../results.ts'
import { HostDirectory, isHostName } from './host-directory.ts'
import { hostError } from './host-error.ts'
import type { SkipReason, TransferReport, TransferRequest } from './request.ts'
import { childPath, childRel, isTooLarge, MAX_DEPTH, Transfer, type TransferSandbox } from './transfer.ts'

/** Why an entry is skipped, by the error that the host's system gives for it. */
const reasons: Readonly<Record<string, SkipReason>> = {
  EEXIST: 'taken',
  EISDIR: 'taken',
  ELOOP: 'taken',
  ENOTDIR: 'taken',
  ENOTEMPTY: 'taken',
  EILSEQ: 'name',
  EINVAL: 'name',
  ENAMETOOLONG: 'name',
}

/** A directory that is copied. */
interface Place {
  readonly host: HostDirectory
  /** In the sandbox. */
  readonly path: string
  readonly rel: string
  readonly depth: number
}

/** Copies a directory of a sandbox to the host. What the sandbox says of its files is data of an agent: all of it is checked. */
export function exportDirectory(sandbox: TransferSandbox, request: TransferRequest): Promise<TransferReport> {
  return new Export(sandbox, request).run()
}

class Export {
  readonly #sandbox: TransferSandbox
  readonly #request: TransferRequest
  readonly #transfer: Transfer

  constructor(sandbox: TransferSandbox, request: TransferRequest) {
    this.#sandbox = sandbox
    this.#request = request
    this.#transfer = new Transfer(request)
  }

  async run(): Promise<TransferReport> {
    const { path, hostPath } = this.#request
    const entries = await this.#transfer.call(() => this.#sandbox.listFiles(path))
    await closing(await openTarget(hostPath), (host) =>
      this.#copyEntries({ host, path, rel: '', depth: 0 }, entries),
    )
    return this.#transfer.report
  }

  async #copyEntries(place: Place, entries: readonly FileInfo[]): Promise<void> {
    const transfer = this.#transfer
    const seen = new Set<string>()
    for (const { name } of entries) {
      transfer.checkSignal()
      const isName = isHostName(name) && !seen.has(name)
      const reason = isName ? await this.#copyEntry(place, name) : 'name'
      if (reason !== undefined) transfer.skip(childRel(place.rel, String(name)), reason)
      seen.add(name)
    }
  }

  /** @returns why it was not copied */
  async #copyEntry(place: Place, name: string): Promise<SkipReason | undefined> {
    const transfer = this.#transfer
    const rel = childRel(place.rel, name)
    const path = childPath(place.path, name)
    if (transfer.isExcluded(rel, false)) return undefined
    const stats = await this.#inSandbox(() => this.#sandbox.stat(path))
    if (typeof stats === 'string') return stats
    if (stats.kind === 'link') return 'link'
    if (stats.kind === 'directory') {
      return transfer.isExcluded(rel, true) ? undefined : this.#copyDirectory(place, name)
    }
    if (stats.kind !== 'file') return 'special'
    transfer.checkEntry(rel)
    transfer.checkBytes(rel, stats.size)
    const content = await this.#inSandbox(() => this.#sandbox.readFile(path))
    if (typeof content === 'string') return content
    transfer.checkBytes(rel, content.byteLength)
    const isExecutable = (stats.mode & 0o100) !== 0
    const reason = await this.#onHost(async () => {
      await place.host.writeFile(name, content, isExecutable)
      return undefined
    })
    if (reason !== undefined) return reason
    transfer.copiedFile(rel, content.byteLength)
    return undefined
  }

  async #copyDirectory(place: Place, name: string): Promise<SkipReason | undefined> {
    const transfer = this.#transfer
    const rel = childRel(place.rel, name)
    if (place.depth >= MAX_DEPTH) return 'depth'
    transfer.checkEntry(rel)
    const path = childPath(place.path, name)
    const entries = await this.#inSandbox(() => this.#sandbox.listFiles(path))
    if (typeof entries === 'string') return entries
    const host = await this.#onHost(() => place.host.makeChild(name))
    if (host === undefined || typeof host === 'string') return host
    await closing(host, () => this.#copyEntries({ host, path, rel, depth: place.depth + 1 }, entries))
    transfer.copiedDirectory(rel)
    return undefined
  }

  /** @returns what the sandbox gives, or why the entry is skipped */
  async #inSandbox<T extends object>(call: () => Promise<T>): Promise<T | SkipReason> {
    try {
      return await this.#transfer.call(call)
    } catch (error) {
      if (error instanceof SandboxPathNotFoundError) return 'gone'
      if (error instanceof SandboxPermissionError) return 'denied'
      if (isTooLarge(error)) return 'size'
      throw error
    }
  }

  /** @returns what the host gives, or why the entry is skipped */
  async #onHost<T extends object | undefined>(act: () => Promise<T>): Promise<T | SkipReason> {
    try {
      return await act()
    } catch (error) {
      const reason = reasons[errorCode(error) ?? '']
      if (reason === undefined) throw hostError(error, 'write to', this.#request.hostPath)
      return reason
    }
  }
}

async function openTarget(hostPath: string): Promise<HostDirectory> {
  try {
    await mkdir(hostPath, { recursive: true })
    return await HostDirectory.open(hostPath)
  } catch (error) {
    throw hostError(error, 'write to the directory', hostPath)
  }
}

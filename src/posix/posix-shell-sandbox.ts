import { requireContent, requirePath } from '../sandbox/arguments.ts'
import { type RemoveOptions, requireRemoval } from '../sandbox/file-arguments.ts'
import type { ExecuteOptions, ExecutionEvent, ExecutionResult, FileInfo } from '../sandbox/results.ts'
import { Sandbox } from '../sandbox/sandbox.ts'
import { removeTree } from '../sandbox/shell-files/scripts.ts'
import { codeCommand } from './code-command.ts'
import { FileCall } from './file-call.ts'
import * as scripts from './file-scripts.ts'

/** How many bytes of a file one command carries. */
export interface PieceSizes {
  /** Of a file that is read: four thirds of it arrive on standard output. */
  readonly read: number
  /** Of a file that is written: four thirds of it are part of the command's text. */
  readonly write: number
}

/**
 * Files and code for any place that runs commands in a POSIX shell. A subclass implements `executeStreaming`
 * alone, and it is the subclass that honours `timeout`, `signal`, `cwd`, `env` and `stdin`. Mirrors the Strands SDK's
 * `PosixShellSandbox`.
 *
 * The place needs `base64`, `head`, `tail`, `ls`, `mkdir`, `mv`, `cp`, `wc`, `stat`, `chmod` and `rm`. A relative path is taken from the
 * directory that commands start in.
 */
export abstract class PosixShellSandbox extends Sandbox {
  /**
   * Files larger than this go in pieces. The default keeps every command below 128 KiB, the most that Linux takes
   * as one argument.
   */
  protected readonly pieceSizes: PieceSizes = { read: 512 * 1024, write: 48 * 1024 }

  /**
   * Runs source code as `base64 -d << 'EOF' | <language>`: it arrives as it is, whatever it holds, on the
   * interpreter's standard input. With `stdin` it is a file in `$TMPDIR` or `/tmp`, which is removed afterwards.
   */
  override async *executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    yield* this.executeStreaming(codeCommand(code, language, options), options)
  }

  /**
   * Reads a file.
   *
   * @throws SandboxPathNotFoundError if it does not exist
   * @throws SandboxPermissionError if it may not be read
   * @throws SandboxIoError if it is no regular file, changes while it is read, or what arrives is not what was
   *   sent, as when a profile prints something to standard output
   */
  override async readFile(path: string): Promise<Uint8Array> {
    const call = this.#fileCall('read', requirePath(path))
    const { read } = this.pieceSizes
    const pieces: Uint8Array[] = []
    let identity: string | undefined
    for (let offset = 0; ; offset += read) {
      const [found, content] = await call.frames(scripts.readPiece(path, offset, read), 2)
      const seen = found.toString('latin1')
      identity ??= seen
      if (identity !== seen) throw call.failure('it changed while it was read. Read it again.')
      pieces.push(content)
      if (content.length < read) return pieces.length === 1 ? content : Buffer.concat(pieces)
    }
  }

  /**
   * Writes a file, replacing what it held, and makes the directories that lead to it. The content is staged beside the
   * file and moved into its place, so that the file holds the old content or the new one at any time. Permissions stay,
   * and a link is followed.
   *
   * @throws SandboxPathNotFoundError if a part of the path is no directory
   * @throws SandboxPermissionError if the file or its directory may not be written
   * @throws SandboxIoError if it is no regular file, or anything else fails
   */
  override async writeFile(path: string, content: Uint8Array): Promise<void> {
    const call = this.#fileCall('write', requirePath(path))
    // A copy: the caller may change its buffer while the pieces are on their way.
    const bytes = Buffer.from(requireContent(content))
    const { write } = this.pieceSizes
    const staging = scripts.stagingName()
    try {
      for (let offset = 0; offset === 0 || offset < bytes.length; offset += write) {
        const piece = bytes.subarray(offset, offset + write)
        await call.run(scripts.writePiece({ path, staging, piece, offset, size: bytes.length }))
      }
    } catch (error) {
      // The first cause wins: whoever fails to write may well fail to clean up.
      if (bytes.length > write) await Promise.allSettled([call.run(scripts.discard(path, staging))])
      throw error
    }
  }

  /**
   * Removes a file or a link; with `recursive` a directory too, with all that is in it.
   *
   * @throws SandboxPathNotFoundError if it does not exist
   * @throws SandboxPermissionError if it may not be removed
   * @throws SandboxIoError if it is a directory, without `recursive`
   */
  override async removeFile(path: string, options?: RemoveOptions): Promise<void> {
    const { path: named, recursive } = requireRemoval(path, options)
    const text = recursive ? removeTree(named) : scripts.removeFile(named)
    await this.#fileCall('remove', named).run(text)
  }

  /**
   * Lists a directory as `ls -1ap` does, without `.` and `..`: hidden entries too, sorted by name, any name. A link to a
   * directory is not one. Sizes are absent. Bytes of a name that are not UTF-8 become U+FFFD.
   *
   * @throws SandboxPathNotFoundError if it does not exist or is no directory
   * @throws SandboxPermissionError if it may not be read
   */
  override async listFiles(path: string): Promise<FileInfo[]> {
    const call = this.#fileCall('list', requirePath(path))
    const [listing] = await call.frames(scripts.listFiles(path), 1)
    return toEntries(listing)
  }

  /** Runs one command of a file operation. For subclasses whose limits on output are meant for commands alone. */
  protected executeFileCommand(command: string): Promise<ExecutionResult> {
    return this.execute(command)
  }

  #fileCall(verb: string, path: string): FileCall {
    return new FileCall(verb, path, (command) => this.executeFileCommand(command))
  }
}

/** Names end in NUL, those of directories in `/` and NUL. */
function toEntries(listing: Buffer): FileInfo[] {
  const names: Buffer[] = []
  let start = 0
  for (let end = listing.indexOf(0); end !== -1; end = listing.indexOf(0, start)) {
    names.push(listing.subarray(start, end))
    start = end + 1
  }
  const entries = names.map((name) => {
    const isDir = name.at(-1) === 0x2f
    return { isDir, bytes: isDir ? name.subarray(0, -1) : name }
  })
  return entries
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ bytes, isDir }) => ({ name: bytes.toString('utf8'), isDir }))
}

import { isUtf8 } from 'node:buffer'
import { interruptible } from '../async/interruptible.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import {
  SandboxAbortError,
  SandboxError,
  SandboxIoError,
  SandboxPathNotFoundError,
} from '../sandbox/errors.ts'
import { shellQuote } from '../sandbox/quoting.ts'
import { ErrorCode, McpError } from './sdk.ts'

/** What a resource holds. */
export type ResourceContent =
  | { readonly text: string; readonly mimeType: string }
  | { readonly blob: string; readonly mimeType: string }

/** Steps of a path below its bind: more would take the session's time, and no directory is as deep. */
const mostSteps = 64
/** Bytes of a path, as on Linux. */
const mostPathBytes = 4096

/** The code that the protocol has for a resource that is not there. */
const notFoundCode = -32002

/**
 * Reads a file, or lists a directory, through the sandbox.
 *
 * @param bind - the bound directory that `path` is in; links on the way from there are not followed
 * @throws {McpError} for what cannot be read
 */
export async function readResource(
  sandbox: HostedSandbox,
  bind: string,
  path: string,
  signal: AbortSignal,
): Promise<ResourceContent> {
  const onAbort = () => new SandboxAbortError('The request was cancelled.', { cause: signal.reason })
  try {
    return await interruptible(read(sandbox, bind, path), { signal, onAbort })
  } catch (error) {
    throw toMcpError(error, path)
  }
}

async function read(sandbox: HostedSandbox, bind: string, path: string): Promise<ResourceContent> {
  if (path === bind) return list(sandbox, path)
  await refuseLinks(sandbox, bind, path)
  try {
    return contentOf(await sandbox.readFile(path))
  } catch (error) {
    if (!(error instanceof SandboxIoError)) throw error
    // A directory is the common case; what else failed fails again, with its own words.
    return list(sandbox, path)
  }
}

/** A link leads anywhere in the sandbox, so also out of the bound directory. */
async function refuseLinks(sandbox: HostedSandbox, bind: string, path: string): Promise<void> {
  const tooLong = new McpError(ErrorCode.InvalidParams, 'The path is longer than that of any file.')
  if (path.length > mostPathBytes) throw tooLong
  const steps = path.slice(bind === '/' ? 1 : bind.length + 1).split('/')
  if (steps.length > mostSteps) throw tooLong
  const places = steps.map((_, index) => [bind === '/' ? '' : bind, ...steps.slice(0, index + 1)].join('/'))
  const test = places.map((place) => `test -L ${shellQuote(place)}`).join(' || ')
  const { exitCode } = await sandbox.execute(test, { cwd: '/' })
  if (exitCode === 1) return
  const problem = exitCode === 0 ? 'leads over a symbolic link' : 'could not be checked for symbolic links'
  throw new McpError(ErrorCode.InvalidParams, `${path} ${problem}.`)
}

async function list(sandbox: HostedSandbox, path: string): Promise<ResourceContent> {
  const entries = await sandbox.listFiles(path)
  const lines = entries.map(({ name, isDir, size }) => (isDir ? `${name}/` : `${name}\t${size ?? ''}`))
  return { text: lines.join('\n'), mimeType: 'inode/directory' }
}

function contentOf(bytes: Uint8Array): ResourceContent {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), mimeType: 'text/plain' }
  return { blob: buffer.toString('base64'), mimeType: 'application/octet-stream' }
}

function toMcpError(error: unknown, path: string): unknown {
  if (error instanceof SandboxPathNotFoundError) return new McpError(notFoundCode, `There is no ${path}.`)
  if (error instanceof SandboxError) {
    return new McpError(ErrorCode.InternalError, `${path}: ${error.message} (${error.code})`)
  }
  return error
}

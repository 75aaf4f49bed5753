import { errorMessage } from '../../../service/error-message.ts'
import type { CommandContext, ExecResult } from '../just-bash.ts'
import type { Interpreter } from '../session/session.ts'

/** What a command answers with. Text; bytes as latin1 where `stdoutKind` is `'bytes'`. */
export type Answer = ExecResult

/** A command of ours. */
export interface OwnCommand {
  readonly name: string
  run(args: readonly string[], context: CommandContext, interpreter: Interpreter): Promise<Answer> | Answer
}

export const done = (stdout = '', exitCode = 0): Answer => ({
  stdout,
  stderr: '',
  exitCode,
  stdoutKind: 'text',
})

/** Bytes as latin1. */
export const bytes = (stdout: string, exitCode = 0): Answer => ({
  stdout,
  stderr: '',
  exitCode,
  stdoutKind: 'bytes',
})

/** `name: message` on stderr. */
export const failed = (name: string, message: string, exitCode = 1): Answer => ({
  stdout: '',
  stderr: `${name}: ${message}\n`,
  exitCode,
})

/** What a read or write failed with, in the words of a program. */
export function reason(error: unknown): string {
  const text = errorMessage(error)
  if (text.includes('ENOENT')) return 'No such file or directory'
  if (text.includes('EISDIR')) return 'Is a directory'
  if (text.includes('ENOTDIR')) return 'Not a directory'
  if (text.includes('EEXIST')) return 'File exists'
  if (text.includes('EACCES') || text.includes('EPERM')) return 'Permission denied'
  if (text.includes('EROFS')) return 'Read-only file system'
  return text
}

/**
 * A context that reads the file system itself. just-bash hands commands one that copies each answer, and refuses after
 * the command was stopped. For commands that only read, many files, and take steps while they do.
 */
export function reading(context: CommandContext, { files }: Interpreter): CommandContext {
  // A copy of the values would read the input.
  const own = { ...Object.getOwnPropertyDescriptors(context), fs: { value: files } }
  const copy: CommandContext = Object.create(null, own)
  return copy
}

/** A file's or stdin's bytes as latin1. @throws Error with the path and the reason in the words of a program */
export async function readNamed(path: string, context: CommandContext): Promise<string> {
  try {
    return await readInput(path, context)
  } catch (error) {
    throw new Error(`${path}: ${reason(error)}`)
  }
}

/** A file's or stdin's bytes as latin1. */
export async function readInput(path: string | undefined, context: CommandContext): Promise<string> {
  if (path === undefined || path === '-' || path === '/dev/stdin') return String(context.stdin)
  const buffer = await context.fs.readFileBuffer(context.fs.resolvePath(context.cwd, path))
  return Buffer.from(buffer).toString('latin1')
}

import * as Comlink from 'comlink'
import type { BlockingCall } from '../contract/blocking.ts'
import type { CheckpointPart, OmittedPart } from '../contract/checkpoint.ts'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CodeRequest,
  CommandOutput,
  CommandRequest,
  CommandsRequest,
  FileEntry,
  FileStat,
  ShellApi,
  ShellDescription,
} from '../contract/shell-api.ts'
import { SandboxPermissionError } from '../sandbox/errors.ts'
import { isCommandOutput } from '../sandbox/output-schema.ts'
import type { CallSubject, CommandSubject, FileSubject } from './call-subject.ts'
import { isApplyReport, isChangeReport } from './change-schemas.ts'
import type { RemoteMethods } from './remote-methods.ts'
import type { Scratch } from './scratch.ts'
import type { StreamedOutput } from './streamed-output.ts'
import {
  isBuffer,
  isBytes,
  isEntries,
  isNull,
  isOmitted,
  isOptionalText,
  isOutputs,
  isStat,
} from './value-schemas.ts'

/** One kind of call on a shell: how it is sent, how long it may take, what a value of it looks like. */
export interface Operation<T> {
  readonly name: keyof ShellApi
  /** A command is bound by the engine's deadline; other calls have none. */
  readonly kind: 'command' | 'other'
  readonly send: (methods: RemoteMethods, id: number) => Promise<unknown>
  readonly accepts: (value: unknown) => value is T
  /** Takes the output of a command that still runs. */
  readonly output?: Pick<StreamedOutput, 'push' | 'taken'>
  /** What is asked for; undefined for calls that no policy decides on and no event tells. */
  readonly subject?: CallSubject
  /** The same with another command. */
  instead?(command: string): Operation<T>
  /** What its caller gets where a policy denies it. @throws {SandboxPermissionError} for a file operation */
  denied?(reason: string): T
  /** The outputs of commands in a value. */
  outputs?(value: T): readonly CommandOutput[]
  /** The bytes of a value. */
  bytesOf?(value: T): number
}

/** One that a thread may block on. */
export interface BlockingOperation<T> extends Operation<T> {
  readonly blocking: BlockingCall
}

/** One that takes a content to the shell. Its value is the memory of the content, where that came back. */
export interface ContentOperation extends BlockingOperation<ArrayBuffer> {
  /** The memory that the content was copied to. */
  readonly copy: ArrayBuffer
}

export function run(request: CommandRequest): BlockingOperation<CommandOutput> {
  return {
    name: 'run',
    kind: 'command',
    send: (methods, id) => methods.of('run')(id, moved(request)),
    accepts: isCommandOutput,
    blocking: { name: 'run', request },
    ...ofCommand(commandOf(request)),
    instead: (command) => run({ ...request, command }),
  }
}

/** A command whose output comes as it is given, where the engine can; its result begins with what has come. */
export function runStreamed(request: CommandRequest, output: StreamedOutput): Operation<CommandOutput> {
  return {
    name: 'run',
    kind: 'command',
    send: (methods, id) => methods.of('run')(id, moved({ ...request, stream: true })),
    accepts: (value): value is CommandOutput => isCommandOutput(value) && output.continues(value),
    output,
    ...ofCommand(commandOf(request)),
    instead: (command) => runStreamed({ ...request, command }, output),
  }
}

export function runMany(request: CommandsRequest): Operation<CommandOutput[]> {
  return {
    name: 'runMany',
    kind: 'command',
    send: (methods, id) => methods.of('runMany')(id, request),
    accepts: (value) => isOutputs(value, request.commands.length),
    subject: { kind: 'commands', texts: request.commands, cwd: request.scope?.cwd },
    outputs: (value) => value,
  }
}

export function runCode(request: CodeRequest): Operation<CommandOutput> {
  return {
    name: 'runCode',
    kind: 'command',
    send: (methods, id) => methods.of('runCode')(id, moved(request)),
    accepts: isCommandOutput,
    ...ofCommand(codeOf(request)),
  }
}

/** Code whose output comes as that of {@link runStreamed}. */
export function runCodeStreamed(request: CodeRequest, output: StreamedOutput): Operation<CommandOutput> {
  return {
    name: 'runCode',
    kind: 'command',
    send: (methods, id) => methods.of('runCode')(id, moved({ ...request, stream: true })),
    accepts: (value): value is CommandOutput => isCommandOutput(value) && output.continues(value),
    output,
    ...ofCommand(codeOf(request)),
  }
}

export function readFile(path: string): BlockingOperation<Uint8Array> {
  return {
    name: 'readFile',
    kind: 'other',
    send: (methods, id) => methods.of('readFile')(id, path),
    accepts: isBytes,
    blocking: { name: 'readFile', path },
    ...ofFile({ kind: 'file', operation: 'read', path }),
    bytesOf: (content) => content.byteLength,
  }
}

export function writeFile(path: string, content: Uint8Array, scratch: Scratch): ContentOperation {
  return putContent('writeFile', path, content, scratch)
}

export function appendFile(path: string, content: Uint8Array, scratch: Scratch): ContentOperation {
  return putContent('appendFile', path, content, scratch)
}

/** Copies `content`, once, so that the copy can be moved to the worker and the caller's buffer stays usable. */
function putContent(
  name: 'writeFile' | 'appendFile',
  path: string,
  content: Uint8Array,
  scratch: Scratch,
): ContentOperation {
  const copy = scratch.copy(content)
  return {
    name,
    kind: 'other',
    copy: copy.buffer,
    send: (methods, id) => methods.of(name)(id, path, Comlink.transfer(copy, [copy.buffer])),
    accepts: isBuffer,
    blocking: { name, path, content: copy },
    ...ofFile({
      kind: 'file',
      operation: name === 'writeFile' ? 'write' : 'append',
      path,
      bytes: content.byteLength,
    }),
  }
}

export function removeFile(path: string, recursive: boolean): BlockingOperation<null> {
  return {
    name: 'removeFile',
    kind: 'other',
    send: (methods, id) => methods.of('removeFile')(id, path, recursive),
    accepts: isNull,
    blocking: { name: 'removeFile', path, recursive },
    ...ofFile({ kind: 'file', operation: 'remove', path }),
  }
}

export function makeDirectory(path: string): BlockingOperation<null> {
  return {
    name: 'makeDirectory',
    kind: 'other',
    send: (methods, id) => methods.of('makeDirectory')(id, path),
    accepts: isNull,
    blocking: { name: 'makeDirectory', path },
    ...ofFile({ kind: 'file', operation: 'makeDirectory', path }),
  }
}

export function place(name: 'move' | 'copy', from: string, to: string): BlockingOperation<null> {
  return {
    name,
    kind: 'other',
    send: (methods, id) => methods.of(name)(id, from, to),
    accepts: isNull,
    blocking: { name, from, to },
    ...ofFile({ kind: 'file', operation: name, path: from, to }),
  }
}

export function listFiles(path: string): BlockingOperation<FileEntry[]> {
  return {
    name: 'listFiles',
    kind: 'other',
    send: (methods, id) => methods.of('listFiles')(id, path),
    accepts: isEntries,
    blocking: { name: 'listFiles', path },
    ...ofFile({ kind: 'file', operation: 'list', path }),
  }
}

export function stat(path: string): BlockingOperation<FileStat> {
  return {
    name: 'stat',
    kind: 'other',
    send: (methods, id) => methods.of('stat')(id, path),
    accepts: isStat,
    blocking: { name: 'stat', path },
    ...ofFile({ kind: 'file', operation: 'stat', path }),
  }
}

export function getEnv(name: string): Operation<string | null> {
  return {
    name: 'getEnv',
    kind: 'other',
    send: (methods, id) => methods.of('getEnv')(id, name),
    accepts: isOptionalText,
  }
}

export function setEnv(name: string, value: string): Operation<null> {
  return {
    name: 'setEnv',
    kind: 'other',
    send: (methods, id) => methods.of('setEnv')(id, name, value),
    accepts: isNull,
  }
}

export function describe<Description extends ShellDescription>(
  accepts: Operation<Description>['accepts'],
): Operation<Description> {
  return {
    name: 'describe',
    kind: 'other',
    send: (methods, id) => methods.of('describe')(id),
    accepts,
  }
}

export function changes(since: string | undefined): Operation<ChangeReport> {
  return {
    name: 'changes',
    kind: 'other',
    send: (methods, id) => methods.of('changes')(id, since),
    accepts: isChangeReport,
  }
}

export function applyChanges(request: ApplyRequest): Operation<ApplyReport> {
  return {
    name: 'applyChanges',
    kind: 'other',
    send: (methods, id) => methods.of('applyChanges')(id, request),
    accepts: isApplyReport,
  }
}

export function checkpoint(): Operation<readonly OmittedPart[]> {
  return {
    name: 'checkpoint',
    kind: 'other',
    send: (methods, id) => methods.of('checkpoint')(id),
    accepts: isOmitted,
  }
}

export function restore(part: CheckpointPart): Operation<null> {
  return {
    name: 'restore',
    kind: 'other',
    send: (methods, id) => methods.of('restore')(id, part),
    accepts: isNull,
  }
}

/** Has the bytes of standard input move to the worker instead of being copied once more. */
function moved<Request extends Pick<CommandRequest, 'stdin'>>(request: Request): Request {
  const { stdin } = request
  return stdin === undefined ? request : Comlink.transfer(request, [stdin.buffer])
}

function commandOf({ command, scope }: CommandRequest): CommandSubject {
  return { kind: 'command', text: command, cwd: scope?.cwd }
}

function codeOf({ code, language, scope }: CodeRequest): CommandSubject {
  return { kind: 'code', text: code, language, cwd: scope?.cwd }
}

function ofCommand(
  subject: CommandSubject,
): Pick<Operation<CommandOutput>, 'subject' | 'outputs' | 'denied'> {
  return { subject, outputs: (output) => [output], denied: deniedOutput }
}

function ofFile(subject: FileSubject): Pick<Operation<never>, 'subject' | 'denied'> {
  return {
    subject,
    denied: (reason) => {
      const { path } = subject
      throw new SandboxPermissionError(`${path}: denied by policy: ${reason}`, { path })
    },
  }
}

/** The result of a command that a policy denies: the status that a shell gives what must not run. */
function deniedOutput(reason: string): CommandOutput {
  const stderr = `Denied by policy: ${reason}\n`
  return { exitCode: 126, stdout: '', stderr, timedOut: false, truncated: false, durationMs: 0 }
}

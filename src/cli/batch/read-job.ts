import { mergeConfig } from '../../config/merge.ts'
import type { EngineName } from '../../contract/lease.ts'
import { SandboxConfigError, SandboxLimitError } from '../../sandbox/errors.ts'
import { isRecord } from '../../sandbox/is-record.ts'
import { absoluteFiles, inputOf } from '../../shell-host/one-shot.ts'
import { type ConfigFields, checkConfig, directoryOf, shellOf } from '../../shell-host/shells.ts'
import { parseJson } from '../json-text.ts'

/** What a job asks for. */
export interface JobRequest {
  readonly command: string
  /** Of its sandbox, over that of the batch. */
  readonly config: ConfigFields
  /** Paths that are read afterwards. */
  readonly collect: readonly string[]
  /** What the command reads; undefined where it has none. */
  readonly stdin?: Uint8Array | undefined
}

/** A line of a batch: a job, or why it is none. */
export interface JobLine {
  /** From 1. */
  readonly line: number
  /** What the line calls itself; undefined where it does not. */
  readonly id: unknown
  /** What to run; of a line that is no job, nothing. */
  readonly request: JobRequest
  /** What is wrong with the line, in words, without a value of it. */
  readonly fault: string | undefined
}

/** What the jobs of a batch have where they do not say. */
export interface JobDefaults extends ConfigFields {
  readonly shell: EngineName
}

/** Reads a line of a batch. */
export function readJob(line: number, bytes: Buffer, defaults: JobDefaults): JobLine {
  let id: unknown
  try {
    const fields = fieldsOf(bytes)
    id = fields['id']
    return { line, id, request: requestOf(fields, defaults), fault: undefined }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const request = { command: '', config: {}, collect: [] }
    return { line, id, request, fault: error.message }
  }
}

class Fault extends Error {}

function fieldsOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  const { value, fault } = parseJson(textOf(bytes))
  if (fault !== undefined) throw new Fault(`${fault}.`)
  if (isRecord(value) && !Array.isArray(value)) return value
  throw new Fault('it must be one JSON object, such as {"command":"ls"}.')
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // That is all there is to say.
    throw new Fault('it is not UTF-8 text.')
  }
}

function requestOf(
  { id: _id, command, files, collect, stdin, ...rest }: Readonly<Record<string, unknown>>,
  defaults: JobDefaults,
): JobRequest {
  if (command === undefined) throw new Fault('command is missing.')
  if (!isText(command)) throw new Fault('command must be a string.')
  try {
    const given = mergeConfig({}, rest)
    const shell = shellOf(given) ?? defaults.shell
    const directory = directoryOf(shell, mergeConfig({ cwd: defaults['cwd'] }, given))
    const config = files === undefined ? given : { ...given, files: absoluteFiles(files, directory) }
    checkConfig(shell, config)
    return { command, config, collect: pathsOf(collect), stdin: inputOf(stdin) }
  } catch (error) {
    if (!(error instanceof SandboxConfigError || error instanceof SandboxLimitError)) throw error
    throw new Fault(error.message.replace(/^Invalid sandbox config: /, ''))
  }
}

function pathsOf(paths: unknown = []): readonly string[] {
  if (Array.isArray(paths) && paths.every(isText)) return paths
  throw new Fault('collect must be an array of paths.')
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

import { SandboxConfigError, SandboxLimitError } from '../../sandbox/errors.ts'
import { isRecord } from '../../sandbox/is-record.ts'
import { parseJson } from '../json-text.ts'
import type { JobRun } from './job-run.ts'

/** The fields of a line. */
export type Fields = Readonly<Record<string, unknown>>

/** Runs a job. @throws what the host or the sandbox has against it. */
type StartJob = (signal: AbortSignal) => Promise<JobRun>

/** Reads what a line asks for. @throws Fault, or an error of a config, for what is not valid. */
export type PrepareJob = (fields: Fields) => StartJob

/** A line of a batch: a job, or why it is none. */
export interface JobLine {
  /** From 1. */
  readonly line: number
  /** What the line calls itself; undefined where it does not. */
  readonly id: unknown
  /** Runs it; undefined for a line that is no job. */
  readonly start: StartJob | undefined
  /** What is wrong with the line, in words, without a value of it. */
  readonly fault: string | undefined
}

/** What is wrong with a line. */
export class Fault extends Error {}

/** Reads a line of a batch. */
export function readJob(line: number, bytes: Buffer, prepare: PrepareJob): JobLine {
  let id: unknown
  try {
    const fields = fieldsOf(bytes)
    id = fields['id']
    return { line, id, start: prepare(fields), fault: undefined }
  } catch (error) {
    return { line, id, start: undefined, fault: faultOf(error) }
  }
}

function faultOf(error: unknown): string {
  if (error instanceof Fault) return error.message
  if (!(error instanceof SandboxConfigError || error instanceof SandboxLimitError)) throw error
  return error.message.replace(/^Invalid sandbox config: /, '')
}

function fieldsOf(bytes: Buffer): Fields {
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

/** @throws Fault */
export function commandOf(command: unknown): string {
  if (command === undefined) throw new Fault('command is missing.')
  if (!isText(command)) throw new Fault('command must be a string.')
  return command
}

/** @throws Fault */
export function pathsOf(paths: unknown = []): readonly string[] {
  if (Array.isArray(paths) && paths.every(isText)) return paths
  throw new Fault('collect must be an array of paths.')
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

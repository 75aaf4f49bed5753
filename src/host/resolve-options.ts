import { SandboxConfigError } from '../sandbox/errors.ts'
import {
  AVAILABLE_ISOLATION,
  type AvailableIsolation,
  hostDefaults,
  type ResolvedHostOptions,
  type ShellHostOptions,
} from './options.ts'

const longestSeconds = 86_400
const known = new Set(Object.keys(hostDefaults))

type CountOption = {
  readonly [Name in keyof typeof hostDefaults]: (typeof hostDefaults)[Name] extends number ? Name : never
}[keyof typeof hostDefaults]

/** Validates the options of a host. @throws {SandboxConfigError} naming the option */
export function resolveHostOptions(options: ShellHostOptions = {}): ResolvedHostOptions {
  if (typeof options !== 'object' || options === null) throw refuse('options', 'an object', options)
  const unknown = Object.keys(options).find((key) => !known.has(key))
  if (unknown !== undefined) throw refuse(unknown, `one of ${[...known].join(', ')}`, 'an unknown option')
  return {
    isolation: isolation(options.isolation ?? hostDefaults.isolation),
    maxSandboxes: count(options, 'maxSandboxes', 1),
    maxQueued: count(options, 'maxQueued', 0),
    openTimeout: seconds(options, 'openTimeout'),
    warm: count(options, 'warm', 0),
    sandboxesPerWorker: count(options, 'sandboxesPerWorker', 1),
    maxRunning: count(options, 'maxRunning', 1),
    idleTimeout: optionalSeconds(options, 'idleTimeout'),
    maxLifetime: optionalSeconds(options, 'maxLifetime'),
    maxRetired: count(options, 'maxRetired', 1),
    maxIdleWorkers: count(options, 'maxIdleWorkers', 0),
    idleWorkerTimeout: seconds(options, 'idleWorkerTimeout'),
    workerUrl: fileUrl(options.workerUrl),
  }
}

function isolation(value: unknown): AvailableIsolation {
  const found = AVAILABLE_ISOLATION.find((level) => level === value)
  if (found !== undefined) return found
  throw refuseIsolation(value)
}

/** An isolation level that this version does not have. */
export function refuseIsolation(value: unknown): SandboxConfigError {
  return refuse('isolation', AVAILABLE_ISOLATION.map((level) => `'${level}'`).join(' or '), value)
}

function count(options: ShellHostOptions, name: CountOption, least: number): number {
  const value = options[name] ?? hostDefaults[name]
  if (Number.isSafeInteger(value) && value >= least) return value
  throw refuse(name, `an integer of at least ${least}`, value)
}

function optionalSeconds(options: ShellHostOptions, name: 'idleTimeout' | 'maxLifetime'): number | undefined {
  return options[name] === undefined ? undefined : requireSeconds(name, options[name])
}

function seconds(options: ShellHostOptions, name: CountOption): number {
  return requireSeconds(name, options[name] ?? hostDefaults[name])
}

function requireSeconds(name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= longestSeconds) return value
  throw refuse(name, `a number of seconds above 0 and at most ${longestSeconds}`, value)
}

function fileUrl(value: URL | string | undefined): URL | undefined {
  if (value === undefined) return undefined
  const url = value instanceof URL ? value : URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'file:') return url
  throw refuse('workerUrl', 'a file: URL', value)
}

function refuse(field: string, expected: string, came: unknown): SandboxConfigError {
  return new SandboxConfigError(`${field}: expected ${expected}, got ${String(came)}.`, { field })
}

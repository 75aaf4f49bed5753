import type { NetworkMode } from '../places/cells/cell-network.ts'
import { reading } from '../sandbox/arguments.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { fieldPath } from '../sandbox/field-path.ts'
import { parseUrl } from '../sandbox/parse-url.ts'
import { showValue } from '../sandbox/show-value.ts'
import {
  hostDefaults,
  ISOLATION_LEVELS,
  type Isolation,
  NETWORK_MODES,
  type ResolvedHostOptions,
  type ShellHostOptions,
} from './options.ts'

const longestSeconds = 86_400
/** Bytes: an empty cell holds about half of it. */
const leastCellMemory = 128 * 2 ** 20
const known = new Set(Object.keys(hostDefaults))

type CountOption = {
  readonly [Name in keyof typeof hostDefaults]: (typeof hostDefaults)[Name] extends number ? Name : never
}[keyof typeof hostDefaults]

/** Validates the options of a host. @throws {SandboxConfigError} naming the option */
export function resolveHostOptions(options: ShellHostOptions = {}): ResolvedHostOptions {
  if (typeof options !== 'object' || options === null) throw refuse('options', 'an object', options)
  return reading('options', () => resolveAll({ ...options }))
}

function resolveAll(options: ShellHostOptions): ResolvedHostOptions {
  const unknown = Object.keys(options).find((key) => !known.has(key))
  if (unknown !== undefined) {
    const field = fieldPath([unknown])
    throw new SandboxConfigError(`${field} is an unknown option. Known here: ${[...known].join(', ')}.`, {
      field,
    })
  }
  const isolation = oneOf('isolation', ISOLATION_LEVELS, options.isolation ?? hostDefaults.isolation)
  return {
    isolation,
    maxSandboxes: count(options, 'maxSandboxes', 1),
    maxQueued: count(options, 'maxQueued', 0),
    openTimeout: seconds(options, 'openTimeout'),
    warm: count(options, 'warm', 0),
    sandboxesPerWorker:
      options.sandboxesPerWorker === undefined ? undefined : requireCount(options, 'sandboxesPerWorker', 1),
    sandboxesPerCell: count(options, 'sandboxesPerCell', 1),
    maxCells: count(options, 'maxCells', 1),
    maxCellMemory: count(options, 'maxCellMemory', leastCellMemory),
    cellBackoff: seconds(options, 'cellBackoff'),
    network: network(options.network, isolation),
    maxRunning: count(options, 'maxRunning', 1),
    idleTimeout: optionalSeconds(options, 'idleTimeout'),
    maxLifetime: optionalSeconds(options, 'maxLifetime'),
    maxRetired: count(options, 'maxRetired', 1),
    maxIdleWorkers: count(options, 'maxIdleWorkers', 0),
    idleWorkerTimeout: seconds(options, 'idleWorkerTimeout'),
    workerUrl: fileUrl(options, 'workerUrl'),
    cellUrl: fileUrl(options, 'cellUrl'),
  }
}

function oneOf<T extends string>(field: string, allowed: readonly T[], value: unknown): T {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw refuse(field, allowed.map((one) => `'${one}'`).join(', '), value)
}

function network(value: unknown, isolation: Isolation): NetworkMode | undefined {
  if (value === undefined) return undefined
  const mode = oneOf('network', NETWORK_MODES, value)
  if (mode === 'public' || isolation === 'process') return mode
  throw refuse('network', `'public' with isolation '${isolation}': only cells can be held to a policy`, value)
}

function count(options: ShellHostOptions, name: CountOption, least: number): number {
  return requireCount({ ...options, [name]: options[name] ?? hostDefaults[name] }, name, least)
}

function requireCount(
  options: ShellHostOptions,
  name: CountOption | 'sandboxesPerWorker',
  least: number,
): number {
  const value = options[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
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

function fileUrl(options: ShellHostOptions, name: 'workerUrl' | 'cellUrl'): URL | undefined {
  const value = options[name]
  if (value === undefined) return undefined
  const url = value instanceof URL ? value : parseUrl(value)
  if (url?.protocol === 'file:') return url
  throw refuse(name, 'a file: URL', value)
}

function refuse(field: string, expected: string, came: unknown): SandboxConfigError {
  return new SandboxConfigError(`${field}: expected ${expected}, got ${showValue(came)}.`, { field })
}

import type { Isolation, NetworkMode } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import type { HostedSession } from './hosted-session.ts'
import type { SessionRegistration } from './session-registration.ts'

/** A host that sandboxes can be opened on: a `ShellHost` of this copy of the package, or of another. */
export interface SandboxHost {
  /** What a sandbox has for itself whose config does not say. */
  readonly isolation: Isolation
  /** What its cells reach of the network; undefined for a host that does not tell. */
  readonly network?: NetworkMode | undefined
}

/** Where sessions are registered. */
export interface SessionRegistry extends SandboxHost {
  /** Takes the sessions of one sandbox in. */
  register(session: HostedSession): SessionRegistration
}

/** The key under which a host holds its registry. Other copies of this package use the same one. */
export const REGISTRY = Symbol.for('strands-shell-runtime.registry')

/** The registry of a host; undefined for what is no host. */
export function registryOf(host: unknown): SessionRegistry | undefined {
  if (typeof host !== 'object' || host === null) return undefined
  const registry: unknown = Reflect.get(host, REGISTRY)
  return isRegistry(registry) ? registry : undefined
}

function isRegistry(value: unknown): value is SessionRegistry {
  return (
    typeof value === 'object' && value !== null && 'register' in value && typeof value.register === 'function'
  )
}

/** The key under which a host has the config of its sandboxes where theirs says nothing else. */
export const DEFAULTS = Symbol.for('strands-shell-runtime.defaults')

/** What a host says of the config of a shell's sandboxes; undefined for a host that says nothing. */
export function defaultsOf(host: unknown, shell: EngineName): object | undefined {
  if (typeof host !== 'object' || host === null) return undefined
  const read: unknown = Reflect.get(host, DEFAULTS)
  if (typeof read !== 'function') return undefined
  const defaults: unknown = Reflect.apply(read, host, [shell])
  return typeof defaults === 'object' && defaults !== null ? defaults : undefined
}

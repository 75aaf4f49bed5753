import { EngineUnavailableError } from '../../sandbox/errors.ts'
import { describePlatform, type PlatformFacts } from './platform.ts'

/** The package whose presence is preferred: it has the engine for every platform it was built for. */
export const WRAPPER = '@strands-agents/shell'
/** The package with the engine's Linux addon. */
export const ADDON = '@strands-agents/shell-linux-x64-gnu'

/** Why there is no engine, and what to do. */
export interface UnavailableReason {
  /** The package or file at fault; default: the addon's package. */
  readonly addon?: string
  readonly reason: string
  readonly remedy: string
  readonly cause?: unknown
}

/** An error that names platform, libc, addon, reason and remedy. */
export function engineUnavailable(facts: PlatformFacts, why: UnavailableReason): EngineUnavailableError {
  const { addon = ADDON, reason, remedy } = why
  const message = `No Strands Shell engine for this machine (${describePlatform(facts)}): ${addon}: ${reason}. ${remedy}`
  return new EngineUnavailableError(message, 'cause' in why ? { cause: why.cause } : {})
}

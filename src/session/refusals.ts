import type { CloseReason } from '../host/end-reasons.ts'
import { SandboxClosedError, SandboxTimeoutError, UnsupportedError } from '../sandbox/errors.ts'
import type { SandboxStatus } from './status.ts'

// Why a session makes no call: what its caller reads.

export function notKept(): UnsupportedError {
  return new UnsupportedError(
    'What this session has cannot be kept any more: its variables, functions and names of files are too long together.',
  )
}

export function notStored(): UnsupportedError {
  return new UnsupportedError(
    'This session cannot be stored. That needs a host with hibernate: { store }, and a sandbox with an id.',
  )
}

const becauseOf: Readonly<Partial<Record<CloseReason, string>>> = {
  idle: ': nobody used it for the idleTimeout of its host',
  lifetime: ': it had the maxLifetime of its host',
  drained: ': its host was drained',
  evicted: ': another one needed its place',
}

export function closed(reason: CloseReason | undefined): SandboxClosedError {
  const why = reason === undefined ? '' : (becauseOf[reason] ?? '')
  return new SandboxClosedError(`This sandbox is closed${why}. Open a new one.`)
}

export function inOtherProcess(): UnsupportedError {
  return new UnsupportedError(
    "Synchronous calls need a sandbox in this process, but this one's isolation is 'process'. Await the asynchronous method, or open a sandbox with isolation 'worker' or 'shared'.",
  )
}

export function notSync(): UnsupportedError {
  return new UnsupportedError(
    'The engine of this sandbox has no synchronous calls. Await the asynchronous method.',
  )
}

export function othersWait(): UnsupportedError {
  return new UnsupportedError('Earlier calls still wait for this sandbox to open. Await its open() first.')
}

export function policyDecides(): UnsupportedError {
  return new UnsupportedError(
    'A policy decides on the calls of this sandbox, so it has no synchronous ones. Await the asynchronous method.',
  )
}

export function decidedByOwn(): UnsupportedError {
  return new UnsupportedError(
    'A policy cannot call the sandbox whose call it decides on: that call would wait for its own decision. Call another sandbox, or this one when the policy has decided.',
  )
}

export function notOpen(status: SandboxStatus): UnsupportedError {
  return new UnsupportedError(
    `Synchronous calls need an open sandbox, but this one's status is '${status}'. Await its open() first.`,
  )
}

export function timedOut(): SandboxTimeoutError {
  return new SandboxTimeoutError("The call's timeout passed while its sandbox opened.")
}

import { isError } from '../sandbox/kinds.ts'
import type { EgressReason } from './reasons.ts'

/** What every event of the proxy says of the request it is about: plain data, never a secret. */
interface EgressEventData {
  /** The cell's id, as it was given to `admit`; undefined where no token told it. */
  readonly cell: string | undefined
  /** Empty where it could not be read. */
  readonly method: string
  /** `http://host/path` without user name, query and fragment; `host:port` of a tunnel; empty where it could not be read. */
  readonly url: string
}

/** Whether a request may go out. */
export interface EgressDecision extends EgressEventData {
  /** True: it does. */
  readonly allowed: boolean
  /** The first address that the proxy connects to; undefined where none was resolved. */
  readonly address?: string
  /** Why it may not. */
  readonly reason?: EgressReason
}

/** How a request that was allowed has ended. */
export interface EgressEnd extends EgressEventData {
  /** The status of the origin's response; undefined for tunnels, and where none came. */
  readonly status?: number
  /** Bytes of bodies, or of a tunnel, sent to the origin. */
  readonly sent: number
  /** The same, received from it. */
  readonly received: number
  /** Seconds. */
  readonly duration: number
  /** What ended it early; undefined where it ended well. */
  readonly reason?: EgressReason
}

/** Who is told of what the proxy does. What a listener throws becomes a warning of the process. */
export interface EgressListeners {
  readonly onDecision?: ((decision: EgressDecision) => void) | undefined
  readonly onEnd?: ((end: EgressEnd) => void) | undefined
}

/** Calls a listener that must not break its caller. */
export function tell<Data>(listener: ((data: Data) => void) | undefined, data: Data): void {
  try {
    listener?.(data)
  } catch (error) {
    process.emitWarning(
      `A listener of the egress proxy threw: ${isError(error) ? error.message : 'no error'}`,
    )
  }
}

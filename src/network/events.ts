import { isError } from '../sandbox/kinds.ts'
import type { EgressReason } from './reasons.ts'

/** What every event of the proxy says of the request it is about: plain data, never a secret. */
interface EgressEventData {
  /** The cell that it came from; undefined where no token told it, and for a bash sandbox in a thread. */
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

/**
 * Who is told of what the proxy does. The decision on a request and its end come with the same `EgressRequest`. What a listener
 * throws becomes a warning of the process.
 */
export interface EgressListeners {
  readonly onDecision?: EgressListener<EgressDecision> | undefined
  readonly onEnd?: EgressListener<EgressEnd> | undefined
}

type EgressListener<Data> = (data: Data, request: EgressRequest) => void

/** A request of a cell. */
export interface EgressRequest {
  /** The lane of the cell that it says it is of; undefined where it says none. */
  readonly lane?: number | undefined
}

/** Calls a listener that must not break its caller. */
export function tell<Data>(
  listener: EgressListener<Data> | undefined,
  data: Data,
  request: EgressRequest,
): void {
  try {
    listener?.(data, request)
  } catch (error) {
    process.emitWarning(
      `A listener of the egress proxy threw: ${isError(error) ? error.message : 'no error'}`,
    )
  }
}

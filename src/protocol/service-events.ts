import type { SandboxEventMap } from '../host/event-data.ts'
import type { ExecutionData } from './execution-schemas.ts'
import type { SandboxData } from './sandbox-schemas.ts'

/** Which events of the service are told besides those of its host. */
interface ServiceEventMap {
  /** A sandbox was opened through the service. */
  readonly created: {
    readonly kind: 'created'
    readonly time: number
    readonly id: string
    readonly sandbox: SandboxData
  }
  /** A sandbox was closed through the service. */
  readonly removed: { readonly kind: 'removed'; readonly time: number; readonly id: string }
  /** A command or code has begun. */
  readonly executionStarted: {
    readonly kind: 'executionStarted'
    readonly time: number
    readonly id: string
    readonly execution: ExecutionData
  }
  /** A command or code has ended. */
  readonly executionEnded: {
    readonly kind: 'executionEnded'
    readonly time: number
    readonly id: string
    readonly execution: ExecutionData
    /** Of the process that its sandbox is in. */
    readonly memory?: SandboxData['memory']
  }
  /** Events were dropped before this client read them: `missed` of them at most. Read the lists again. */
  readonly gap: { readonly kind: 'gap'; readonly time: number; readonly missed: number }
}

/** An event of a service: of its host (docs/events.md), or of its own. `id` is that of the sandbox. */
export type ServiceEvent = SandboxEventMap[keyof SandboxEventMap] | ServiceEventMap[keyof ServiceEventMap]

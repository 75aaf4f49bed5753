import { TypedEmitter } from '../sandbox/typed-emitter.ts'
import { SANDBOX_EVENTS, type SandboxEvent, type SandboxEventMap } from './event-data.ts'

/** Told of an event of a sandbox, by the sandbox or by its host. */
export type SandboxListener<Event extends SandboxEvent> = (data: SandboxEventMap[Event]) => void

/** The listeners of a host, or of one sandbox. */
export class SandboxEvents extends TypedEmitter<SandboxEventMap> {
  constructor() {
    super(SANDBOX_EVENTS)
  }
}

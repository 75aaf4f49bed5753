import type { Isolation } from '../../../src/contract/isolation.ts'
import { CommandLimiter } from '../../../src/host/command-limiter.ts'
import { Figures } from '../../../src/host/figures.ts'
import { SessionStore } from '../../../src/host/hibernation/session-store.ts'
import type { HostedSession } from '../../../src/host/hosted-session.ts'
import { resolveHostOptions } from '../../../src/host/resolve-options.ts'
import { SandboxEvents } from '../../../src/host/sandbox-events.ts'
import type { SessionRegistry } from '../../../src/host/sandbox-host.ts'
import { type RegistrationHost, SessionRegistration } from '../../../src/host/session-registration.ts'
import { Tenants } from '../../../src/host/tenants/tenants.ts'
import type { OpenRequest } from '../../../src/places/open-request.ts'
import type { Place } from '../../../src/places/place.ts'
import type { SnapshotStore } from '../../../src/snapshot/store.ts'
import { FakePlace } from './fake-place.ts'

/** A request to open a shell, which the test grants or refuses. */
export class Opening {
  readonly request: OpenRequest
  readonly end: Promise<Place>
  #resolve: (place: Place) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(request: OpenRequest) {
    this.request = request
    const place = new Promise<Place>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.end = Promise.race([place, request.cancelled()])
  }

  grant(): FakePlace {
    const place = new FakePlace()
    this.#resolve(place)
    return place
  }

  refuse(error: Error): void {
    this.#reject(error)
  }
}

interface FakeHostOptions {
  readonly isolation?: Isolation
  readonly holds?: boolean
  readonly store?: SnapshotStore
}

/** A host without workers. It grants each opening at once, unless it is told to hold them. */
export class FakeHost implements SessionRegistry, RegistrationHost {
  readonly isolation: Isolation
  readonly options = resolveHostOptions()
  readonly events = new SandboxEvents()
  readonly figures = new Figures()
  readonly #tenant = new Tenants(undefined, new CommandLimiter(8)).of({})
  readonly openings: Opening[] = []
  readonly places: FakePlace[] = []
  /** Its events in order, each with the generation of its session and the reason. */
  readonly told: (readonly unknown[])[] = []
  /** Sessions that are registered. */
  registered = 0
  readonly store: SessionStore | undefined
  readonly #holds: boolean

  constructor({ isolation = 'worker', holds = false, store }: FakeHostOptions = {}) {
    this.isolation = isolation
    this.store = store === undefined ? undefined : new SessionStore(store, 10)
    this.#holds = holds
    for (const event of ['opened', 'reopened'] as const) {
      this.events.on(event, ({ generation }) => this.told.push([event, generation]))
    }
    for (const event of ['lost', 'closed', 'rejected'] as const) {
      this.events.on(event, ({ generation, reason }) => this.told.push([event, generation, reason]))
    }
  }

  register(session: HostedSession): SessionRegistration {
    this.registered += 1
    return new SessionRegistration(session, this, this.#tenant)
  }

  readonly rests = () => undefined

  readonly used = () => undefined

  unregister(): void {
    this.registered -= 1
  }

  open(_session: HostedSession, request: OpenRequest): Promise<Place> {
    const opening = new Opening(request)
    this.openings.push(opening)
    if (!this.#holds) this.places.push(opening.grant())
    return opening.end
  }

  /** The opening of this number, from 0. */
  opening(index: number): Opening {
    return existing(this.openings, index)
  }

  /** The place of this number, from 0, of those granted at once. */
  place(index: number): FakePlace {
    return existing(this.places, index)
  }
}

function existing<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error(`there are only ${list.length}`)
  return item
}

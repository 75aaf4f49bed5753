import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import type { Isolation } from '../contract/isolation.ts'
import { hostClosed } from '../places/host-closed.ts'
import type { OpenRequest } from '../places/open-request.ts'
import type { Place } from '../places/place.ts'
import type { HostBound, Saturation } from '../sandbox/errors.ts'
import { openingError } from '../sandbox/opening-error.ts'
import { Admission, type Entrant } from './admission.ts'
import { admittedPlace } from './admitted-place.ts'
import type { CellSessions } from './cell-sessions.ts'
import type { DroppedPlaces } from './dropped-places.ts'
import type { Figures } from './figures.ts'
import type { HostedSession } from './hosted-session.ts'
import type { Levels } from './levels.ts'
import type { ResolvedHostOptions } from './options.ts'
import { Quotas } from './quotas.ts'
import { openedTooLate, queueFull, saturationOf, tooManyRetired } from './saturation.ts'
import { tenantOf } from './tenants/options.ts'
import type { Tenant, Tenants } from './tenants/tenants.ts'

/** What openings have of their host. */
interface OpeningHost {
  readonly levels: Levels
  readonly tenants: Tenants
  readonly figures: Figures
  readonly dropped: DroppedPlaces
  /** Which sessions are in which cell. */
  readonly cells: CellSessions
  /** Aborted when the host is closed. */
  readonly closed: AbortSignal
  /** @throws why the host opens nothing more */
  readonly requireOpen: () => void
  /** An opening waits for another sandbox to leave. */
  readonly onWait: () => void
  /** An opening was admitted. */
  readonly onAdmitted: () => void
  /** A place was taken or given back. */
  readonly onPlaces: () => void
}

/** Told how many wait, where an opening has to. */
type OnQueued = (queued: number) => void

/** The openings of a host's sessions: each is admitted, by its level and its tenant, and gets a place. */
export class Openings {
  readonly #options: ResolvedHostOptions
  readonly #host: OpeningHost
  readonly #admission: Admission
  readonly #quotas: Quotas

  constructor(options: ResolvedHostOptions, host: OpeningHost) {
    this.#options = options
    this.#host = host
    const limits = options.onSaturated === 'reject' ? { ...options, maxQueued: 0 } : options
    this.#admission = new Admission(limits, (entrant) =>
      queueFull(this.#saturation([...this.#admission.reached(entrant), 'maxQueued'], entrant), options),
    )
    this.#quotas = new Quotas(options)
  }

  /** Openings that wait to be admitted, or for a place. */
  get queued(): number {
    return this.#admission.queued + this.#queuedForPlace
  }

  /** Openings that wait for others to leave. */
  get awaited(): number {
    return this.#admission.awaited + this.#queuedForPlace
  }

  /** Openings that wait for any place to be given back. */
  get wanted(): number {
    return this.#admission.wanted + this.#queuedForPlace
  }

  /** True where a tenant waits for its own sandboxes to leave. */
  get isTenantAwaited(): boolean {
    return this.#admission.awaited > this.#admission.wanted
  }

  /** Openings of a tenant that wait for another sandbox of it to leave. */
  wantedOf({ places }: Tenant): number {
    return this.#admission.wantedOf(places)
  }

  /** How many sandboxes of a level may still open without waiting. */
  free(isolation: Isolation): number {
    return this.#admission.free(this.#quotas.of(isolation))
  }

  /** @throws {HostSaturatedError} where too many places are retired; what `requireOpen` of the host throws */
  requireOpenable(): void {
    this.#host.requireOpen()
    const saturation = this.#saturation(['maxRetired'])
    if (saturation.retired >= saturation.maxRetired) throw tooManyRetired(saturation)
  }

  /** Gives a session a place, within `openTimeout`. */
  async open(session: HostedSession, request: OpenRequest, onQueued: OnQueued): Promise<Place> {
    const opening = interruptible(this.#open(session, request, onQueued), {
      seconds: this.#options.openTimeout,
      signal: request.signal,
      onTimeout: () => this.#openedTooLate(session, request),
      onAbort: () => request.signal.reason,
    })
    try {
      return await interruptible(opening, { signal: this.#host.closed, onAbort: hostClosed })
    } catch (error) {
      request.cancel(error)
      throw error
    }
  }

  /** Refuses everyone who waits to be admitted. */
  close(makeError: () => Error): void {
    this.#admission.close(makeError)
  }

  get #queuedForPlace(): number {
    return this.#host.levels.figures.queued
  }

  async #open(session: HostedSession, request: OpenRequest, onQueued: OnQueued): Promise<Place> {
    const { isolation, labels } = session
    const { cellsFor } = this.#options
    if (cellsFor !== 'policy') request.owner = tenantOf(labels, cellsFor.label)
    const releaseAdmission = await this.#admitTenant(session, request, onQueued)
    request.onCancel(releaseAdmission)
    try {
      const places = await this.#host.levels.placesOf(isolation, request.engine)
      request.throwIfCancelled()
      const start = performance.now()
      const place = await places.open(request)
      this.#host.figures.built(performance.now() - start)
      places.trim(this.free(isolation))
      this.#host.onPlaces()
      const leaveCell = this.#host.cells.enter(session, place)
      request.onCancel(leaveCell)
      return admittedPlace(place, () => {
        leaveCell()
        releaseAdmission()
        this.#host.onPlaces()
      })
    } catch (error) {
      releaseAdmission()
      throw error === request.signal.reason ? error : openingError(error)
    }
  }

  /** As `#admit`; until the place is given back its tenant is remembered. */
  async #admitTenant(session: HostedSession, request: OpenRequest, onQueued: OnQueued): Promise<() => void> {
    const { tenants } = this.#host
    const tenant = tenants.of(session.labels)
    tenants.enter(tenant, request)
    const leave = () => tenants.leave(tenant, request)
    try {
      const release = await this.#admit(this.#entrant(session), request, onQueued)
      return () => {
        release()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  async #admit(entrant: Entrant, request: OpenRequest, onQueued: OnQueued): Promise<() => void> {
    const { figures, dropped, onWait, onAdmitted } = this.#host
    const start = this.#admission.admits(entrant) ? undefined : performance.now()
    if (this.#admission.refuses(entrant)) {
      await dropped.seekOnce()
      request.throwIfCancelled()
      this.requireOpenable()
    }
    const admitted = this.#admission.enter(request, entrant, () => {
      request.queued = true
      onWait()
      onQueued(this.#admission.queued)
    })
    const release = await admitted.finally(() => {
      request.queued = false
    })
    if (start !== undefined) figures.waited(performance.now() - start)
    figures.peak = Math.max(figures.peak, this.#admission.admitted)
    onAdmitted()
    return release
  }

  #entrant({ isolation, labels }: HostedSession): Entrant {
    return { quota: this.#quotas.of(isolation), share: this.#host.tenants.of(labels).places }
  }

  #openedTooLate(session: HostedSession, request: OpenRequest): Error {
    const entrant = this.#entrant(session)
    return openedTooLate(this.#saturation(this.#waitsFor(session, entrant, request), entrant), this.#options)
  }

  /** The bounds that an opening waits for; none while its place is made. */
  #waitsFor({ isolation }: HostedSession, entrant: Entrant, request: OpenRequest): readonly HostBound[] {
    if (request.queued) return this.#admission.reached(entrant)
    const bound = this.#host.levels.known(isolation, request.engine)?.boundOf(request)
    return bound === undefined ? [] : [bound]
  }

  #saturation(reached: readonly HostBound[], entrant?: Entrant): Saturation {
    const { maxSandboxes, maxCells, maxQueued, maxRetired, quotas } = this.#options
    const { cells, queued, retired } = this.#host.levels.figures
    return {
      reached,
      open: this.#admission.admitted - queued,
      maxSandboxes,
      cells,
      maxCells,
      queued: this.#admission.queued + queued,
      maxQueued,
      retired,
      maxRetired,
      ...(quotas && entrant && { tenant: saturationOf(entrant.share, quotas.label) }),
    }
  }
}

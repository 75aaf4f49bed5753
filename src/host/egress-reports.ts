import type { InCaller } from '../async/caller-context.ts'
import type { EgressDecision, EgressEnd, EgressListeners, EgressRequest } from '../network/events.ts'
import type { CellSessions } from './cell-sessions.ts'
import { type Labels, namesOf, type SandboxNames } from './event-data.ts'
import type { EventReporter } from './event-reporter.ts'
import type { HostedSession } from './hosted-session.ts'
import { ofNoSandbox } from './of-no-sandbox.ts'
import type { SandboxEvents } from './sandbox-events.ts'
import type { SessionRegistration } from './session-registration.ts'

/** Which sandboxes a request can be of. */
interface Source {
  readonly candidates: readonly HostedSession[]
  /** Where there is exactly one: what tells of it. */
  readonly certain: Teller | undefined
}

interface Teller {
  readonly events: EventReporter
  readonly generation: number
  /** The context of the caller whose command it is of, where that is certain. */
  readonly inCaller: InCaller | undefined
}

/** Tells of the requests of cells, of which the proxy knows the cell, and of a bash sandbox the lane; and of jails, of which it knows each. */
export class EgressReports implements EgressListeners {
  readonly #sessions: ReadonlyMap<HostedSession, SessionRegistration>
  readonly #events: SandboxEvents
  readonly #cells: Pick<CellSessions, 'of'>
  /** Of requests that were let through: when one ends, its command may have been answered and its sandbox closed. */
  readonly #sources = new WeakMap<EgressRequest, Source>()

  constructor(
    sessions: ReadonlyMap<HostedSession, SessionRegistration>,
    events: SandboxEvents,
    cells: Pick<CellSessions, 'of'>,
  ) {
    this.#sessions = sessions
    this.#cells = cells
    this.#events = events
  }

  readonly onDecision = (decision: EgressDecision, request: EgressRequest): void => {
    const source = this.#sourceOf(decision.cell, request)
    if (decision.allowed) this.#sources.set(request, source)
    this.#tell('egress', decision, source)
  }

  readonly onEnd = (end: EgressEnd, request: EgressRequest): void => {
    this.#tell('egressEnd', end, this.#sources.get(request) ?? this.#sourceOf(end.cell, request))
  }

  #tell(kind: 'egress', fields: EgressDecision, source: Source): void
  #tell(kind: 'egressEnd', fields: EgressEnd, source: Source): void
  #tell(kind: 'egress' | 'egressEnd', fields: EgressDecision & EgressEnd, source: Source): void {
    const shown = () => {
      const candidates = Object.freeze(source.candidates.map(namesOf))
      const isOfCell = !source.candidates.some(({ pass }) => pass !== undefined && pass === fields.cell)
      const cell = isOfCell ? fields.cell : undefined
      return {
        ...fields,
        cell,
        ...hidden(fields, this.#sessionsIn(fields.cell), source.candidates),
        candidates,
      }
    }
    if (source.certain === undefined) {
      if (!this.#events.listensTo(kind)) return
      const labels = commonLabels(source.candidates)
      this.#events.emit(kind, { ...ofNoSandbox(kind), labels, ...shown() })
      return
    }
    const { events, generation, inCaller = plainly } = source.certain
    inCaller(() => events.report(kind, (about) => ({ ...about, ...shown() }), generation))
  }

  #sourceOf(cell: string | undefined, { lane }: EgressRequest): Source {
    const candidates = sourcesOf(this.#sessionsIn(cell), lane, cell)
    const [session, ...others] = candidates
    const events = session && this.#sessions.get(session)?.events
    if (session === undefined || events === undefined || others.length > 0)
      return { candidates, certain: undefined }
    const { generation, inCaller } = session
    return { candidates, certain: { events, generation, inCaller } }
  }

  #sessionsIn(cell: string | undefined): readonly HostedSession[] {
    return cell === undefined ? [] : this.#cells.of(cell)
  }
}

/**
 * The sandboxes that a request can be of. Of a pass: the one that has it. Of a cell: that of the lane which it tells, none once that is closed. Strands Shell
 * tells no lane: those with a command that runs; where none does, all of the cell.
 */
function sourcesOf(
  there: readonly HostedSession[],
  lane: number | undefined,
  name: string | undefined,
): readonly HostedSession[] {
  const holders = there.filter(({ pass }) => pass !== undefined && pass === name)
  if (holders.length > 0) return holders
  if (lane !== undefined) return there.filter((session) => session.cell?.lane === lane)
  const untold = there.filter(({ shell }) => shell === 'strands')
  const running = untold.filter(({ runs }) => runs)
  return running.length > 0 ? running : untold
}

/** Method and URL without the secrets of those it can be of, now or when it began; of those that have left their cell nobody knows the secrets. */
function hidden(
  { cell, method, url }: EgressDecision,
  there: readonly HostedSession[],
  candidates: readonly HostedSession[],
): Pick<EgressDecision, 'method' | 'url'> {
  const known = [...new Set([...there, ...candidates])]
  const hide = (text: string) => known.reduce((rest, session) => session.hideInRequest(rest), text)
  if (cell !== undefined && known.length === 0)
    return { method, url: url.replace(/^(\w+:\/\/[^/]*\/).+/s, '$1***') }
  return { method: hide(method), url: hide(url) }
}

function plainly<T>(work: () => T): T {
  return work()
}

/** The labels that all of them have: the request has these, whichever it is of. */
function commonLabels([first, ...others]: readonly SandboxNames[]): Labels {
  const labels = Object.entries(first?.labels ?? {})
  return Object.fromEntries(
    labels.filter(([name, value]) =>
      others.every((other) => Object.hasOwn(other.labels, name) && other.labels[name] === value),
    ),
  )
}

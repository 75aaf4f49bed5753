import type { ApplyChangesOptions, ChangesOptions } from '../config/change-options.ts'
import type { ApplyReport, ChangeReport } from '../contract/shell-api.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { SandboxSummary } from '../hosted-sandbox/summary.ts'
import type { SessionSandbox } from './session-sandbox.ts'

/** The sandbox of a session, for who runs the server. It does not keep the session from ending. */
export interface McpSandbox {
  /**
   * What the server calls it: the name of its client, with `#2`, `#3`, … behind it for further sessions of the same client;
   * `session-1`, `session-2`, … where clients have no names; `stdio` on standard input and output.
   */
  readonly name: string
  /** The client's name; undefined where clients have none. */
  readonly client: string | undefined
  /** Its binds, network and limits; no path of the host. */
  readonly summary: SandboxSummary
  /**
   * What it changed in its binds, as {@link HostedSandbox.changes} tells.
   *
   * @throws {SandboxClosedError} where its session has ended, or it was closed while nothing used it
   */
  changes(options?: ChangesOptions): Promise<ChangeReport>
  /**
   * Writes what it changed in a copy to the host, as {@link HostedSandbox.applyChanges} does.
   *
   * @throws {SandboxClosedError} as `changes` does
   */
  applyChanges(options: ApplyChangesOptions): Promise<ApplyReport>
  /**
   * Does a piece of work with the sandbox itself, which is not closed for idleness before it has settled.
   *
   * @throws {SandboxClosedError} as `changes` does
   * @throws what the work throws
   */
  use<T>(work: (sandbox: HostedSandbox) => Promise<T>): Promise<T>
}

/** What is known of a session's sandbox outside of it. */
export class NamedSandbox implements McpSandbox {
  readonly name: string
  readonly client: string | undefined
  readonly #session: Pick<SessionSandbox, 'current' | 'visit'>

  constructor(name: string, client: string | undefined, session: Pick<SessionSandbox, 'current' | 'visit'>) {
    this.name = name
    this.client = client
    this.#session = session
  }

  get summary(): SandboxSummary {
    return this.#session.current.summary
  }

  changes(options?: ChangesOptions): Promise<ChangeReport> {
    return this.use((sandbox) => sandbox.changes(options))
  }

  applyChanges(options: ApplyChangesOptions): Promise<ApplyReport> {
    return this.use((sandbox) => sandbox.applyChanges(options))
  }

  use<T>(work: (sandbox: HostedSandbox) => Promise<T>): Promise<T> {
    return this.#session.visit(work)
  }
}

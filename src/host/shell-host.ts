import { HostCore, type HostStats } from './host-core.ts'
import type { Isolation, ShellHostOptions } from './options.ts'
import type { Place } from './place.ts'
import type { PlaceRequest, PlaceSource } from './place-source.ts'
import { resolveHostOptions } from './resolve-options.ts'

/**
 * Leases places in worker threads to sandboxes, and takes them back. A host is not collected with its idle
 * workers: {@link ShellHost.close | close} it.
 */
export class ShellHost implements PlaceSource {
  readonly #core: HostCore

  /** @throws {SandboxConfigError} naming the option that is not valid */
  constructor(options: ShellHostOptions = {}) {
    this.#core = new HostCore(resolveHostOptions(options))
  }

  /** What a sandbox has for itself whose config does not say. */
  get isolation(): Isolation {
    return this.#core.isolation
  }

  /** Figures of this moment. */
  stats(): HostStats {
    return this.#core.stats()
  }

  /**
   * Ends every worker that runs no native call, and each of the others when its calls have settled. Sandboxes
   * of this host are lost. Idempotent.
   */
  close(): Promise<void> {
    return this.#core.close()
  }

  /** The same as {@link ShellHost.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Opens a shell for a sandbox's session.
   *
   * @internal
   */
  place(request: PlaceRequest): Promise<Place> {
    return this.#core.place(request)
  }
}

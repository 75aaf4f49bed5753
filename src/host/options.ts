/** Options of a {@link ShellHost}. Durations are in seconds. */
export interface ShellHostOptions {
  /**
   * Most worker threads at once, retired ones included. Past it, opening rejects with `HOST_SATURATED`.
   *
   * @default 1024
   */
  readonly maxWorkers?: number | undefined
  /**
   * Most retired workers, whose native call still runs, at once. Past it, opening rejects with
   * `HOST_SATURATED` until some have ended.
   *
   * @default 64
   */
  readonly maxRetired?: number | undefined
  /**
   * Most idle workers kept for the next sandbox.
   *
   * @default 4
   */
  readonly maxIdleWorkers?: number | undefined
  /**
   * Seconds after which an idle worker is ended.
   *
   * @default 30
   */
  readonly idleWorkerTimeout?: number | undefined
  /**
   * Seconds that opening a sandbox may take before it rejects with `HOST_SATURATED`.
   *
   * @default 60
   */
  readonly openTimeout?: number | undefined
  /**
   * The `file:` URL of the built worker entry, for bundled applications in which this package cannot find
   * it: a copy of the file that `strands-shell-runtime/worker` names.
   *
   * @default the entry installed with this package
   */
  readonly workerUrl?: URL | string | undefined
}

/** {@link ShellHostOptions} with everything present and valid. */
export interface ResolvedHostOptions {
  readonly maxWorkers: number
  readonly maxRetired: number
  readonly maxIdleWorkers: number
  readonly idleWorkerTimeout: number
  readonly openTimeout: number
  readonly workerUrl: URL | undefined
}

/** Every default of a host, in one place. */
export const hostDefaults = {
  maxWorkers: 1024,
  maxRetired: 64,
  maxIdleWorkers: 4,
  idleWorkerTimeout: 30,
  openTimeout: 60,
} as const

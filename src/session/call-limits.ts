/** What may cut one call short. */
export interface CallLimits {
  /** Seconds until the call rejects with `TIMEOUT`. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

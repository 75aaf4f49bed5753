/** What may cut one call short. */
export interface CallLimits {
  /** Seconds until the call rejects with `TIMEOUT`. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Values that no event tells. */
  readonly secrets?: readonly string[]
  /** No caller waits for it: it keeps no process alive, and a loss that it meets is still to be reported. */
  readonly isBackground?: boolean
}

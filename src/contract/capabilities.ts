/** What an engine can do, so that the host knows before it asks. */
export interface EngineCapabilities {
  /** Its worker can be ended at any moment: none of its calls is native. */
  readonly terminable: boolean
  /** A call that runs can be stopped, and its session goes on. */
  readonly interrupt: boolean
  /** A thread can block until a call of it is answered. */
  readonly sync: boolean
  /** Output arrives before a command has ended. */
  readonly streaming: boolean
  /** It tells what the sandbox did to its binds. */
  readonly changes: boolean
  /** It hands over what each call has changed, so that a lost session can go on in another shell. */
  readonly checkpoint: boolean
}

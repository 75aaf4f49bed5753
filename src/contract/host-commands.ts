/** A command of a session that is a function of the caller, as its worker knows it. */
export interface HostCommandRecord {
  readonly name: string
  /** What it does, for who looks for a command. */
  readonly description: string
  /** What `name --help` prints. */
  readonly help: string
}

/** A call of such a command. */
export interface CommandCall {
  readonly name: string
  readonly args: readonly string[]
  readonly stdin: Uint8Array
  /** Absolute. */
  readonly cwd: string
  /** The exported variables. */
  readonly env: readonly (readonly [name: string, value: string])[]
}

/** What such a command gave. */
export interface CommandAnswer {
  /** 0 to 255. */
  readonly exitCode: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

/** What its function may do with the session's files meanwhile. The path is absolute. */
export type FileCall =
  | { readonly act: 'read'; readonly path: string }
  | { readonly act: 'write'; readonly path: string; readonly content: Uint8Array<ArrayBuffer> }

/** A piece of the output of a command that still runs. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr'
  /** Whole characters, at least one. */
  readonly text: string
}

/** What one call of a command may hold; what is larger does not cross. */
export const COMMAND_CALL_BOUNDS = {
  /** Arguments and variables. */
  words: 100_000,
  /** Characters of them all. */
  characters: 8 * 1024 * 1024,
  /** Bytes of standard input. */
  stdin: 64 * 1024 * 1024,
} as const

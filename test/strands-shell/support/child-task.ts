import type { ExecutionResult, StrandsShellConfig } from '../../../src/index.ts'

/** A command as text repeated, so that a long one fits into an argument. */
export interface Repeated {
  readonly text: string
  readonly times: number
}

/** What a child process is to run, one after another, in one sandbox. */
export interface ChildTask {
  /** By its name in `engines`. Default: `strands`. */
  readonly engine?: string
  readonly config: StrandsShellConfig
  readonly commands: readonly (readonly Repeated[])[]
}

/** How one command ended. */
export type ChildOutcome = ExecutionResult | { readonly code: string; readonly cause: string | undefined }

/** What a child process saw. */
export interface ChildReport {
  readonly outcomes: readonly ChildOutcome[]
  /** How long each of them took. */
  readonly seconds: readonly number[]
  /** `RUST_MIN_STACK` after the first session was opened. */
  readonly stackVariable: string | undefined
}

/** The public API of a build: only what every compared commit has. */
export type Api = Pick<typeof import('../../src/index.ts'), 'ShellHost'>

/** A build, as the process that measures it sees it. */
export interface Build {
  /** The `file:` URL of its `dist/src/index.js`. */
  readonly url: string
  /** Imports it. */
  load(): Promise<Api>
}

/** Work that has been set up. */
export interface Work {
  /** One sample: runs the work once. */
  run(): Promise<unknown>
  /** How many things one sample does; its time is divided by them. */
  readonly things: number
  close(): Promise<void>
}

/** Work that two builds are compared by. */
export interface Comparison {
  readonly name: string
  /** What one sample does, in one sentence. */
  readonly does: string
  /** Sets the work up in a process that serves nothing else. */
  start(build: Build): Promise<Work>
}

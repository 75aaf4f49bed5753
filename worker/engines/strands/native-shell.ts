/** What a command left behind, in the engine's own words. */
export interface NativeOutput {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** A directory entry as the engine lists it; `size` in bytes, absent for directories and broken links. */
export interface NativeEntry {
  readonly name: string
  readonly isDir: boolean
  readonly size?: number
}

/**
 * The part of the engine's shell object that this runtime uses.
 *
 * Calls made at the same time do not run in order: whoever holds a shell makes one call at a time.
 */
export interface NativeShell {
  run(command: string): Promise<NativeOutput>
  setEnv(name: string, value: string): Promise<void>
  getEnv(name: string): Promise<string | null | undefined>
  config(): Promise<unknown>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, content: Uint8Array): Promise<void>
  removeFile(path: string): Promise<void>
  listFiles(path: string): Promise<NativeEntry[]>
}

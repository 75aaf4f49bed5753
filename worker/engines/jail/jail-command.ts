/** A program and its arguments: `bwrap` with those of a jail, or what starts it. */
export interface JailCommand {
  readonly file: string
  readonly args: readonly string[]
}

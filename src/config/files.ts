/** A directory of the host whose files a session begins with. */
export interface DirectoryFiles {
  /** The host directory. A relative path is taken from the working directory at construction. */
  readonly directory: string
  /**
   * What to keep out: patterns as in a `.gitignore`, relative to the directory, one each, such as `node_modules/`.
   *
   * @default [] (nothing)
   */
  readonly exclude?: readonly string[] | undefined
}

/** Bytes of a file where a config can hold text alone, as JSON and TOML do. */
export interface Base64Content {
  /** The bytes in Base64, with or without padding. */
  readonly base64: string
}

/** What is at a path when a session begins: text, which is written as UTF-8, bytes, or what a host directory holds. */
export type FileContent = string | Uint8Array | Base64Content | DirectoryFiles

/** Files that a session begins with, by path. */
export type StartFiles = Readonly<Record<string, FileContent>>

/** What a checkpoint says of a path. */
interface FileFact {
  readonly type: 'file' | 'directory' | 'symlink'
  readonly mode: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /** Where a link leads. */
  readonly target: string
}

/** @throws {TypeError} where a checkpoint holds something else. */
export function parseFact(text: string): FileFact {
  const fact: unknown = JSON.parse(text)
  if (typeof fact !== 'object' || fact === null) throw wrong()
  const { type, mode, modified, target = '' }: Partial<Record<keyof FileFact, unknown>> = fact
  if (type !== 'file' && type !== 'directory' && type !== 'symlink') throw wrong()
  if (typeof mode !== 'number' || typeof modified !== 'number' || typeof target !== 'string') throw wrong()
  return { type, mode, modified, target }
}

function wrong(): TypeError {
  return new TypeError('The checkpoint is not of this version of the bash engine.')
}

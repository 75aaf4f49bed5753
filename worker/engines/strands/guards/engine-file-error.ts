/** What the engine says when a file call fails, taken apart. */
export interface EngineFileError {
  readonly code: 'ENOENT' | 'EACCES' | 'EFBIG' | 'EOTHER'
  /** The engine's words without the path in front. */
  readonly text: string
}

const CODES: ReadonlySet<string> = new Set<EngineFileError['code']>(['ENOENT', 'EACCES', 'EFBIG', 'EOTHER'])

function isCode(code: string): code is EngineFileError['code'] {
  return CODES.has(code)
}

/**
 * Reads the engine's `CODE\tPATH\tTEXT`, in which PATH may itself hold tabs and TEXT repeats PATH.
 *
 * @returns null for anything else: a panic, a defect of ours.
 */
export function parseFileError(error: unknown, path: string): EngineFileError | null {
  if (!(error instanceof Error)) return null
  const { message } = error
  const codeEnd = message.indexOf('\t')
  const code = message.slice(0, Math.max(codeEnd, 0))
  if (!isCode(code)) return null
  // A lone surrogate in the path comes back as U+FFFD.
  const known = path.toWellFormed()
  const rest = message.slice(codeEnd + 1)
  const text = rest.startsWith(`${known}\t`)
    ? rest.slice(known.length + 1)
    : rest.slice(rest.lastIndexOf('\t') + 1)
  return { code, text: text.startsWith(`${known}: `) ? text.slice(known.length + 2) : text }
}

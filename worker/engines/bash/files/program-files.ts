/** What a command of the shell is told as where no file of it is kept. */
export const PROGRAM = { isFile: true, isDirectory: false, isSymbolicLink: false, mode: 0o755, size: 0 }

/** just-bash puts a file into both for each of its commands, and again for each of ours. */
export const isProgram = (path: string) => path.startsWith('/usr/bin/') || path.startsWith('/bin/')

/** The bytes of these files are the same ones in every session of the thread. */
const programBytes = new Map<string, Uint8Array>()

export function bytesOf(text: string): Uint8Array {
  const kept = programBytes.get(text)
  if (kept !== undefined) return kept
  const bytes = new TextEncoder().encode(text)
  programBytes.set(text, bytes)
  return bytes
}

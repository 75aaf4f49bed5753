import type { CommandContext } from '../just-bash.ts'
import { decode } from '../text/bytes.ts'
import { readInput, reason } from './command.ts'

/** The lines of a file. */
export interface Lines {
  readonly lines: readonly string[]
  /** Whether the last one has a line end. */
  readonly ended: boolean
}

export function splitLines(text: string, end = '\n'): Lines {
  const lines = text.split(end)
  if (lines.at(-1) !== '') return { lines, ended: false }
  lines.pop()
  return { lines, ended: true }
}

/** A file's or stdin's lines. @throws where it cannot be read */
export async function readLines(
  path: string | undefined,
  context: CommandContext,
  end = '\n',
): Promise<Lines> {
  return splitLines(decode(await readInput(path, context)), end)
}

/** The text of all files, or of stdin, and what is told of those that cannot be read. */
export async function readAll(
  name: string,
  paths: readonly string[],
  context: CommandContext,
  told = (path: string, why: string) => `${path}: ${why}`,
): Promise<{ texts: { path: string; text: string }[]; stderr: string }> {
  const texts: { path: string; text: string }[] = []
  let stderr = ''
  for (const path of paths.length === 0 ? ['-'] : paths)
    try {
      texts.push({ path, text: decode(await readInput(path, context)) })
    } catch (error) {
      stderr += `${name}: ${told(path, reason(error))}\n`
    }
  return { texts, stderr }
}

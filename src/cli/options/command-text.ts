import { shellQuote } from '../../sandbox/quoting.ts'
import { usageError } from '../failure.ts'
import { bytesOfStream } from './standard-input.ts'

/** Words that mean the same to a shell with and without quotes. `[` stays bare: quoted, it would not be guarded. */
const plainWord = /^(?:\[|[\w@%+:,./-]+)$/

/**
 * The shell command that words on the command line stand for: one word is a command as it is; several are
 * a program and its arguments, each of which arrives as it is.
 */
export function commandOfWords(words: readonly string[]): string {
  const [only, ...others] = words
  if (only !== undefined && others.length === 0) return only
  return words.map((word) => (plainWord.test(word) ? word : shellQuote(word))).join(' ')
}

/** Reads a command from a stream to its end. @throws CliError where it is not UTF-8 or cannot be read. */
export async function commandOfStream(stream: NodeJS.ReadableStream): Promise<string> {
  const bytes = await bytesOfStream(stream, 'the command')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw usageError('the command on standard input must be UTF-8 text, but is not.', { cause })
  }
}

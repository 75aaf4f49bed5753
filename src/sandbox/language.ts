import { SandboxConfigError } from './errors.ts'
import { showValue } from './show-value.ts'

/**
 * Names of interpreters: letters, digits, dots, hyphens and underscores. Mirrors the Strands SDK's
 * `LANGUAGE_PATTERN`: a path, a space or shell syntax is no name.
 */
export const LANGUAGE_PATTERN = /^[a-zA-Z0-9._-]+$/

/**
 * Refuses what does not match {@link LANGUAGE_PATTERN}, and also names that begin with a hyphen or
 * consist of dots, which a shell would read as an option, or as its own `.` command.
 *
 * @returns The name.
 * @throws SandboxConfigError with the field `language`.
 */
export function validateLanguage(language: unknown): string {
  if (
    typeof language === 'string' &&
    LANGUAGE_PATTERN.test(language) &&
    !language.startsWith('-') &&
    !/^\.+$/.test(language)
  ) {
    return language
  }
  throw new SandboxConfigError(
    `language must be the name of an interpreter, such as "python3", made of letters, digits, dots, hyphens and underscores, but is ${showValue(language)}.`,
    { field: 'language' },
  )
}

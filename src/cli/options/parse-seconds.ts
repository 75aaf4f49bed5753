import { usageError } from '../failure.ts'

/**
 * A parser of a number of seconds, such as `5` or `2.5`. Whether it is in range is the config's to say.
 *
 * @throws CliError for anything else.
 */
export function parseSeconds(option: string): (text: string) => number {
  return (text) => {
    if (/^\d+(?:\.\d+)?$|^\.\d+$/.test(text)) return Number(text)
    throw usageError(
      `${option}: expected a number of seconds without a unit, such as 5 or 2.5, but got ${JSON.stringify(text)}.`,
    )
  }
}

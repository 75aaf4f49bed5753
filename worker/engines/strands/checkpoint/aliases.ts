import { FarError } from '../../../service/far-error.ts'

/** A name, and a value in single quotes, in which a quote ends them, is escaped, and begins them again. */
const ALIAS = /([^=]+)='((?:[^']|'\\'')*)'\n/y

/** Reads what `alias` prints. */
export function readAliases(output: string): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>()
  ALIAS.lastIndex = 0
  for (let at = 0; at < output.length; at = ALIAS.lastIndex) {
    const match = ALIAS.exec(output)
    if (match === null)
      throw new FarError({ code: 'IO_ERROR', message: 'The aliases of the session could not be read.' })
    const [, name = '', value = ''] = match
    aliases.set(name, value.replaceAll(`'\\''`, `'`))
  }
  return aliases
}

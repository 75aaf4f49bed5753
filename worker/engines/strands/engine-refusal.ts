import type { StrandsRecord } from '../../../src/contract/shell-record.ts'
import { errorMessage } from '../../service/error-message.ts'
import { startFailure } from '../../service/exhaustion.ts'
import { FarError } from '../../service/far-error.ts'

/** The engine's refusal of a config, without what the config holds; a failed worker where the engine lacked a thread, say. */
export function engineRefusal(error: unknown, { configFile, credentials }: StrandsRecord): FarError {
  let text = errorMessage(error)
  for (const { token } of credentials) text = text.replaceAll(token, '[secret]')
  if (configFile !== undefined) text = withoutValues(text)
  const failed = startFailure(text)
  if (failed !== undefined) return failed
  return new FarError({
    code: 'INVALID_CONFIG',
    field: configFile === undefined ? 'config' : 'configFile',
    message: `The engine refused ${configFile === undefined ? 'this config' : `this config or its file '${configFile}'`}: ${text}. Correct it and open again.`,
    detail: text,
  })
}

const tomlError = /^TOML parse error at (line \d+, column \d+)\n/
/** The line, which the engine quotes with marks below it. */
const excerpt = /^ *\|\n *\d+ \|[^\n]*\n *\|[ ^]*\n/
/** What is wrong in the engine's own words, up to the first value. */
const ownWords = /^(?:missing field `\w+`|[^`"':\n]*)/
/** What may be there instead. A value that looks like it ends in a quote. */
const choices = /, expected (?:(?:one of )?`\w+`(?:(?:, | or )`\w+`)*|[\w ]+)\s*$/
const variableName = /\b(environment variable) (?![A-Z_][A-Z0-9_]{0,39} )\S+/

/** What the engine says of a config file: of TOML it quotes the line at fault, which may hold a token. */
function withoutValues(text: string): string {
  const [all, place] = tomlError.exec(text) ?? []
  if (all === undefined) return text.replace(variableName, '$1 [hidden]')
  const rest = text.slice(all.length)
  const why = excerpt.test(rest) ? rest.replace(excerpt, '') : ''
  const said = (ownWords.exec(why)?.[0] ?? '').replace(/, expected.*/s, '').trim()
  return [`TOML parse error at ${place}`, ...(said === '' ? [] : [said])].join(': ') + expectedIn(why)
}

function expectedIn(why: string): string {
  return choices.exec(why)?.[0].trimEnd() ?? ''
}

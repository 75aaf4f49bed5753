import { quoted } from '../../quoting.ts'
import { literalPart } from '../words.ts'
import type { Rule } from '../work.ts'

/** `$'a\tb'` is written in single quotes, with the characters themselves. */
export const ansiQuotes: Rule<'AnsiCQuoted'> = (node, { script }) => {
  script.replace(node, quoted(node.value))
}

/** `$"text"` is a text in double quotes where there are no translations. */
export const localeString: Rule<'LocaleString'> = ({ pos }, { script }) => {
  script.replace({ pos, end: pos + 1 }, '')
}

/** `\*` is a star; the engine takes it for a pattern all the same. */
export const escapes: Rule<'Word'> = (node, { script }) => {
  for (const part of node.parts ?? [literalPart(node)]) {
    if (part.type === 'Literal' && /\\[*?[\]]/.test(part.text)) script.replace(part, quoted(part.value))
  }
}

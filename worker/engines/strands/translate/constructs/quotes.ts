import { quoted } from '../words.ts'
import type { Rule } from '../work.ts'

/** `$'a\tb'` is written in single quotes, with the characters themselves. */
export const ansiQuotes: Rule<'AnsiCQuoted'> = (node, { script }) => {
  script.replace(node, quoted(node.value))
}

/** `$"text"` is a text in double quotes where there are no translations. */
export const localeString: Rule<'LocaleString'> = ({ pos }, { script }) => {
  script.replace({ pos, end: pos + 1 }, '')
}

import type { CommandRule } from './command.ts'

/** `cut` of fields: the engine prints an empty line for one without a delimiter, and takes `-d=` for none. */
export const cut: CommandRule = ({ words, nameWord }, { script, program }) => {
  if (
    words.some(({ text }) =>
      /^["']?-(?:s*f|-(?:fields|delimiter|output-delimiter|only-delimited))/.test(text),
    )
  )
    script.replace(nameWord, program('cut'))
}

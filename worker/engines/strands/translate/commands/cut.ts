import type { CommandRule } from './command.ts'

/** `cut` of fields: the engine prints an empty line for one without a delimiter, and takes `-d=` for none. Behind a file that is missing it reads none. */
export const cut: CommandRule = ({ words, nameWord }, { script, program }) => {
  if (
    words.filter(({ text }) => !text.startsWith('-')).length > 1 ||
    words.some(({ text }) =>
      /^["']?-(?:s*f|-(?:fields|complement|characters|bytes|delimiter|output-delimiter|only-delimited))/.test(
        text,
      ),
    )
  )
    script.replace(nameWord, program('cut'))
}

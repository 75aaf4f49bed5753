/** What Strands Shell says of a command that cannot be read, where nothing more is known. */
export const SYNTAX_MESSAGE =
  'syntax error: a quote, bracket or keyword of the command is missing or out of place'

/** What it says first of a command whose end is missing. What is missing there follows. */
export const UNFINISHED_MESSAGE = 'syntax error: unexpected end of file: '

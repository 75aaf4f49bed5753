/** What Strands Shell says of a command that cannot be read. */
export const SYNTAX_MESSAGE =
  'syntax error: a quote, bracket or keyword of the command is missing or out of place'

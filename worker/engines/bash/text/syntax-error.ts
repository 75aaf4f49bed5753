/** Whether a script does not parse, as just-bash tells it. */
export const isSyntaxError = ({ name }: Error): boolean => name === 'ParseException' || name === 'LexerError'

/** What does not parse, where just-bash tells no place of it. */
export const parseException = (message: string): Error =>
  Object.assign(new Error(message), { name: 'ParseException' })

/** What bash says of it: `line 3: syntax error near unexpected token `)'`. @param script - the text that does not parse. */
export function syntaxError({ message }: Error, script: string): string {
  const [, parsedLine, column, parsed] = /^Parse error at (\d+):(\d+): (.*)$/s.exec(message) ?? []
  const [, readLine, read] = /^line (\d+): (.*)$/s.exec(message) ?? []
  if (`${parsedLine}:${column}` === endOf(script))
    return `line ${Number(parsedLine)}: syntax error: unexpected end of file`
  const text = parsed ?? read ?? message
  const told = /^(syntax error|unexpected EOF|Input too large)/.test(text) ? text : `syntax error: ${text}`
  return `line ${Math.max(1, Number(parsedLine ?? readLine ?? 1))}: ${told}`
}

/** The place behind the last character, as the parser counts. */
function endOf(text: string): string {
  const lines = text.split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

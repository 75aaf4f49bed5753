/** A command that must keep its line: it has several, a here-document or a comment, or ends in an operator or an escape. */
const KEEPS_LINE = /\n|<<|(?:^|\s)#|[;&|\\]\s*$|^\s*$/
/** The beginning of a compound command, before the first command in it. */
const OPENS = /^(?:if .*; then|else)$/

/**
 * The definition of a function: on one line where its commands allow it. The engine's time to read one is quadratic in its
 * lines.
 */
export function functionText(name: string, commands: readonly string[]): string {
  if (commands.some((command) => KEEPS_LINE.test(command))) return `${name}() {\n${commands.join('\n')}\n}`
  const parts = commands.map((command) => (OPENS.test(command) ? `${command} ` : `${command}; `))
  return `${name}() { ${parts.join('')}}`
}

const PLAIN = /^[\w ./:=@%+,-]*$/
const FIRST = /^\s*([\w./-]+)/
/** What `echo` may read as options, options other than the usual ones, and several operands of `mkdir`. */
const OPTION =
  /^\s*(?:echo +-|mkdir\s+(?!-)\S+\s+\S|rm\b.*\s-(?![frR]+(?:\s|$))|(?:mkdir|rmdir|touch)\b.*\s-)/

/** Names of commands of which there is nothing to translate where the text is plain. */
const AS_THEY_ARE: ReadonlySet<string> = new Set(
  'true false : pwd cd echo mkdir rmdir touch rm sleep exit'.split(' '),
)

/** Whether a command is so simple that it needs no look. */
export function isOrdinary(command: string): boolean {
  return PLAIN.test(command) && AS_THEY_ARE.has(FIRST.exec(command)?.[1] ?? '') && !OPTION.test(command)
}

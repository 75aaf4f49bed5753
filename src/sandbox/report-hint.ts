/** What somebody needs who is to look into it. */
const HINT =
  'Please report it to strands-shell-runtime, with what the sandbox was given and the output of `npx strands-shell-runtime doctor --json`.'

/** The message of a failure that nobody should meet, with what to do about it, once. */
export function reportable(message: string): string {
  if (message.endsWith(HINT)) return message
  return `${/[.!?]$/.test(message) ? message : `${message}.`} ${HINT}`
}

/** Names of the signals of Linux that have the same number everywhere, that of number 1 first. */
export const SIGNALS: readonly string[] = (
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG ' +
  'XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'
).split(' ')

/** @param signal - a number from 1 on. */
export const nameOfSignal = (signal: number): string | undefined => SIGNALS[signal - 1]

/** @param word - a number, or a name in any case with or without SIG. @returns its number; undefined where there is no such signal */
export function signalOf(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word) <= SIGNALS.length ? Number(word) : undefined
  const at = SIGNALS.indexOf(word.toUpperCase().replace(/^SIG/, ''))
  return at < 0 ? undefined : at + 1
}

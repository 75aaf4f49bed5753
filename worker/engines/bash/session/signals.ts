/** Names of the signals of Linux that have the same number everywhere, that of number 1 first. */
const SIGNALS: readonly string[] = (
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG ' +
  'XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'
).split(' ')

/** What `kill -l` and `trap -l` print: five in a line, with those of real time. */
export function signalTable(): string {
  const realTime = Array.from({ length: 31 }, (_, at) => {
    const after = at <= 15 ? at : at - 30
    return [
      34 + at,
      `RTM${at <= 15 ? 'IN' : 'AX'}${after > 0 ? '+' : ''}${after === 0 ? '' : after}`,
    ] as const
  })
  const all = [...SIGNALS.map((name, at) => [at + 1, name] as const), ...realTime]
  const rows = Array.from({ length: Math.ceil(all.length / 5) }, (_, at) => all.slice(at * 5, at * 5 + 5))
  return rows
    .map((row) => row.map(([number, name]) => `${String(number).padStart(2)}) SIG${name}`).join('\t'))
    .map((row, at) => (at === rows.length - 1 ? `${row}\t\n` : `${row}\n`))
    .join('')
}

/** @param signal - a number from 1 on. */
export const nameOfSignal = (signal: number): string | undefined => SIGNALS[signal - 1]

/** @param word - a number, or a name in any case with or without SIG. @returns its number; undefined where there is no such signal */
export function signalOf(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word) <= SIGNALS.length ? Number(word) : undefined
  const at = SIGNALS.indexOf(word.toUpperCase().replace(/^SIG/, ''))
  return at < 0 ? undefined : at + 1
}

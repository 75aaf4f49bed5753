/** Programs that read and write archives and compressed files. */
export const ARCHIVERS: ReadonlySet<string> = new Set(['gunzip', 'gzip', 'tar', 'zcat'])

/** Whether such a program reads its standard input, as far as its words tell. */
export function readsArchive(name: string, literals: readonly (string | undefined)[]): boolean {
  if (name === 'tar') return readsTar(literals)
  const operands = literals.filter((literal) => literal === undefined || !/^-./.test(literal))
  return operands.length === 0 || operands.includes('-')
}

const LETTERS = /^-[A-Za-z]/
const TAKES_NAME = /^-[A-Za-z]*[fTX]$|^--(?:file|files-from|exclude-from)$/

/** `tar` reads a list of names that is `-`, and, unless it writes it, an archive that is `-` or has no name. */
function readsTar(literals: readonly (string | undefined)[]): boolean {
  const isOld = /^[A-Za-z]+$/.test(literals[0] ?? '')
  const letters = literals.filter(
    (literal, at) => literal !== undefined && (LETTERS.test(literal) || (isOld && at === 0)),
  )
  const has = (letter: string) => letters.some((one) => one?.includes(letter) === true)
  const isInput = literals.some(
    (literal, at) =>
      /^-[A-Za-z]*[fTX]-$|^--(?:file|files-from|exclude-from)=-$/.test(literal ?? '') ||
      (literal === '-' && (isOld || TAKES_NAME.test(literals[at - 1] ?? ''))),
  )
  if (has('c') || literals.includes('--create'))
    return (
      isInput && (has('T') || has('X') || literals.some((one) => /^--(?:files|exclude)-from/.test(one ?? '')))
    )
  const isNamed =
    has('f') || literals.some((literal) => literal === undefined || /^--file(?:=|$)/.test(literal))
  return isInput || !isNamed
}

/** Words that a shell reads itself: a command of that name would never run, or would break the shell. */
const shellWords = new Set(
  [
    '. : [ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown do',
    'done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs',
    'kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source',
    'suspend test then time times trap true type typeset ulimit umask unalias unset until wait while',
    'bash sh',
  ].flatMap((line) => line.split(' ')),
)

/** What is wrong with the name of a command, in words that complete "but …"; undefined where it is one. */
export function findNameFault(name: string): string | undefined {
  if (shellWords.has(name)) return 'is a word of the shell itself'
  if (/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name)) return undefined
  return 'is not 1 to 64 letters, digits, "_", "-" and "." that begin with a letter'
}

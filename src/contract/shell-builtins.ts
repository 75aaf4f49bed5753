/**
 * The builtins of bash: they start nothing by themselves and change the state of the shell alone. `allowed` of a policy need
 * not name them. What `eval`, `exec`, `command` and the like start is a command of its own.
 */
export const SHELL_BUILTINS: ReadonlySet<string> = new Set(
  (
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable ' +
    'eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read ' +
    'readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'
  ).split(' '),
)

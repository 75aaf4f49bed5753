import { DRIVER, STATE } from './places.ts'

/** What a trap of `EXIT` begins with where its shell keeps its state before. */
export const KEEPS_FIRST = `. ${DRIVER}/keep; `

/**
 * `trap` for commands that name it: a trap of `EXIT` that they set keeps the state of the shell first, and what is printed
 * does not show it.
 */
export const trapFunctionScript = `trap() {
  if [ "$BASHPID" != "$$" ]; then \\builtin trap "$@"; \\builtin return; fi
  \\builtin local __jail __jail_line
  case \${1-} in
    '' | -p)
      \\builtin trap "$@" >|${STATE}/traps
      __jail=$?
      while IFS= \\builtin read -r __jail_line; do
        [ "$__jail_line" = "trap -- '. ${DRIVER}/keep' EXIT" ] && \\builtin continue
        \\builtin printf '%s\\n' "\${__jail_line/#"trap -- '${KEEPS_FIRST}"/"trap -- '"}"
      done <${STATE}/traps
      \\builtin return "$__jail"
      ;;
  esac
  \\builtin trap "$@" || \\builtin return
  \\builtin trap -p EXIT >|${STATE}/traps
  IFS= \\builtin read -rd '' __jail <${STATE}/traps || :
  case $__jail in
    '') \\builtin trap '. ${DRIVER}/keep' EXIT ;;
    "trap -- '. ${DRIVER}/keep"*) ;;
    *) \\builtin eval "\\builtin trap -- '. ${DRIVER}/keep; \${__jail#"trap -- '"}" ;;
  esac
}
`

import { oneLine } from './one-line.ts'
import { readWhenCalled } from './read-when-called.ts'

/** The functions behind the aliases of `[` and `test`. */
export const GUARDED_TESTS: ReadonlyMap<string, string> = new Map([
  ['[', '__ssr_bracket'],
  ['test', '__ssr_test'],
])

/** Operators that compare integers. */
const COMPARISON = '-eq|-ne|-lt|-gt|-le|-ge'
const BINARY = `"="|"=="|"!="|"<"|">"|${COMPARISON}|-nt|-ot|-ef`
/** Words that begin with `(` or, before another sign, with `!`. */
const SIGN_FIRST = "'('*|'!'[=!\\(]*|'!'?[=!\\(]*"
/** What the engine takes for unary operators, and those of them that other shells know and that take any word. */
const UNARY = '-[abcdefghknprstuwxzGLOS]'
const UNARY_OF_ANY = '-[bcdefghknprsuwxzGLOS]'

/** Walks an expression as the engine does. Status 0: the engine would read past its end. */
const OVERRUNS = `__ssr_overruns() {
  local __ssr_open=
  local __ssr_not=
  while :; do
    case $# in 0) return 1 ;; esac
    case "$__ssr_not$1" in "!") __ssr_not=1; shift; continue ;; esac
    case "$1" in "(") __ssr_open=x$__ssr_open; __ssr_not=; shift; continue ;; esac
    case $# in 1) return 1 ;; esac
    case "$2" in
    ${BINARY}) case $# in 2) return 0 ;; esac; shift 3 ;;
    *) case "$1" in ${UNARY}) shift ;; esac; shift ;;
    esac
    while :; do
      case $# in 0) return 1 ;; esac
      case "$1$__ssr_open" in
      ")x"*) __ssr_open=\${__ssr_open#x}; shift ;;
      -a*|-o*) break ;;
      *) return 1 ;;
      esac
    done
    case "$1" in -a|-o) ;; *) return 1 ;; esac
    __ssr_not=
    shift
  done
}`

/**
 * Evaluates an expression that begins with a sign or ends like an operator; the first word is the name for messages. The engine takes
 * a left operand `(` or `!` for the beginning of another expression, and a last `]` of its `test` for none.
 */
const EVALUATE = `__ssr_evaluate() {
  local __ssr_name="$1"
  local __ssr_last=
  local __ssr_left=
  shift
  case "$2" in
  "") case "$#$1" in "1(") return 0 ;; esac ;;
  "(") case "$#$1$3" in "2!") return 1 ;; "4!="|"4!=="|"4!!=") "[" "x$2" "$3" "x$4" "]" && return 1; return 0 ;; esac ;;
  esac
  if __ssr_overruns "$@"; then :; else "[" "$@" "]"; return; fi
  case "$#$2" in "3="|"3=="|"3!=") "[" "x$1" "$2" "x$3" "]"; return ;; esac
  __ssr_left=$#
  while :; do
    case $__ssr_left in 1) break ;; 2) __ssr_last="$1" ;; esac
    set -- "$@" "$1"
    shift
    __ssr_left=$((__ssr_left-1))
  done
  case "$*" in *"("*) __ssr_last= ;; esac
  case "$__ssr_last" in
  ${UNARY_OF_ANY}) __ssr_last="./$1"; shift; "[" "$@" "$__ssr_last" "]"; return ;;
  esac
  "printf" "strands-shell: %s: %s: argument expected\\n" "$__ssr_name" "$1" >&2
  return 2
}`

/** The engine takes an operand that is no number for 0. */
const INTEGERS = `__ssr_integers() {
  local __ssr_name="$1"
  shift
  while :; do
    case $# in 0) return 0 ;; esac
    case "$1" in
    ''|[-+]|*[!0-9+-]*|?*[!0-9]*)
      printf 'strands-shell: %s: %s: integer expression expected\\n' "$__ssr_name" "$1" >&2
      return 2 ;;
    esac
    shift
  done
}`

/** Blanks around an operand do not count. Behind the name for messages: the operands and the operator. */
const TRIMMED = `__ssr_trimmed() {
  while :; do
    case "$2" in [' \t\n']*) set -- "$1" "\${2#?}" "$3" "$4"; continue ;; *[' \t\n']) set -- "$1" "\${2%?}" "$3" "$4"; continue ;; esac
    case "$4" in [' \t\n']*) set -- "$1" "$2" "$3" "\${4#?}" ;; *[' \t\n']) set -- "$1" "$2" "$3" "\${4%?}" ;; *) break ;; esac
  done
  __ssr_integers "$1" "$2" "$4" || return
  '[' "$2" "$3" "$4" ']'
}`

/** Expressions that begin with a sign, or end like an operator, are looked at word by word. IFS may be empty. */
const TEST = `__ssr_test() {
  case "$2" in
  =|==|!=) case "$#$1" in '3('|'3!') '[' "x$1" "$2" "x$3" ']'; return ;; esac ;;
  ${COMPARISON}) case "$#$1$3" in 3*[' \t\n']*) __ssr_trimmed test "$@"; return ;; 3*) __ssr_integers test "$1" "$3" || return ;; esac ;;
  esac
  case "$*" in
  ${SIGN_FIRST}|*[=\\<\\>]|*-[a-z][a-z]) __ssr_evaluate test "$@" ;;
  *) '[' "$@" ']' ;;
  esac
}`

/** Any first character of IFS, or none, can stand before the bracket. */
const BRACKET = `__ssr_bracket() {
  case "$2" in
  =|==|!=) case "$#$1$4" in '4(]'|'4!]') '[' "x$1" "$2" "x$3" ']'; return ;; esac ;;
  ${COMPARISON}) case "$#$4$1$3" in 4]*[' \t\n']*) __ssr_trimmed '[' "$1" "$2" "$3"; return ;; 4]*) __ssr_integers '[' "$1" "$3" || return ;; esac ;;
  esac
  case "$*" in
  ${SIGN_FIRST}|*[=\\<\\>]']'|*[=\\<\\>]?']'|*-[a-z][a-z]']'|*-[a-z][a-z]?']'|*[=\\<\\>]|*-[a-z][a-z]) __ssr_closed "$@" ;;
  *) '[' "$@" ;;
  esac
}`

/** Takes the closing bracket off, if there is one. */
const CLOSED = `__ssr_closed() {
  local __ssr_left=$#
  while :; do
    case $__ssr_left in 1) break ;; esac
    set -- "$@" "$1"
    shift
    __ssr_left=$((__ssr_left-1))
  done
  case "$1" in
  "]") shift; __ssr_evaluate "[" "$@" ;;
  *) "printf" "strands-shell: [: missing ]\\n" >&2; return 2 ;;
  esac
}`

/**
 * The engine panics, and its session is lost, where the right operand of the last operator of `[` or `test` is
 * missing: `[ "$x" = $UNSET ]`. Aliases lead both to functions that answer such an expression with a message and
 * status 2, as other shells do, and hand every other one to the engine unchanged.
 */
export const TEST_PRELUDE: readonly string[] = [
  ...[OVERRUNS, EVALUATE, CLOSED, TRIMMED].map(readWhenCalled),
  ...[INTEGERS, TEST, BRACKET].map(oneLine),
]

/** Leads `[` and `test` to their guards. */
export const UNTRIED_ALIASES: readonly string[] = [...GUARDED_TESTS].map(
  ([name, guard]) => `alias '${name}'='${guard}'`,
)

/** Leads `[` and `test` to their guards; where a tiny limit keeps a guard from running, its command stays as it is. */
export const TEST_ALIASES: readonly string[] = [...GUARDED_TESTS].map(
  ([name, guard]) => `${guard} x ${name === '[' ? ']' : ''} && alias '${name}'='${guard}'`,
)

import { oneLine } from '../guards/one-line.ts'

const STATUS = `__ssr_status() {
  return $1
}`

/** Lines do not matter to \`[[ =~ ]]\`, and do to grep: only one is compared. */
const REGEX = `__ssr_regex() {
  case "$1" in *'
'*) printf 'strands-shell: [[ =~ ]] of several lines is not available here: use grep\\n' >&2; return 2 ;; esac
  printf '%s\\n' "$1" | grep -Eq -e "$2"
}`

const ORDER = `__ssr_order() {
  case "$2" in
  '<') '[' "$1" \\< "$3" ']' ;;
  *) '[' "$1" \\> "$3" ']' ;;
  esac
}`

const ECHO = `__ssr_echo() {
  local IFS=' '
  local __ssr_format="$1"
  shift
  printf "$__ssr_format" "$*"
}`

/** Functions that translated commands call. */
export const HELPERS = [...[STATUS, ORDER, ECHO].map(oneLine), REGEX].join('\n')

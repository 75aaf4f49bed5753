import { oneLine } from '../guards/one-line.ts'
import { storedOrReturn } from './constructs/isolated.ts'
import { KIND, NAMED, TYPE } from './name-kinds.ts'
import { CHARACTERS, LINE, READ } from './read-fields.ts'

const STATUS = `__ssr_status() {
  return $1
}`

/** Lines do not matter to \`[[ =~ ]]\`, and do to grep: only one is compared. */
const REGEX = `__ssr_regex() {
  case "$1" in *'
'*) printf 'strands-shell: [[ =~ ]] of several lines is not available here: use grep\\n' >&2; return 2 ;; esac
  local IFS=' '
  { printf '%s\\n' "$1" | $3 -Eq -e "$2"; } < /dev/null || return $?
}`

/** Whether a file ends with a line break. */
const ENDED = `__ssr_ended() {
  case "$(tail -n 1 "$1"; printf x)" in *'\n'x|x) return 0 ;; esac
  return 1
}`

const ORDER = `__ssr_order() {
  case "$2" in
  '<') '[' "$1" \\< "$3" ']' ;;
  *) '[' "$1" \\> "$3" ']' ;;
  esac
}`

const ECHO = `__ssr_echo() {
  case "$#:\${2-}" in 2:-*) ;; 2:*) printf "$1" "$2"; return ;; esac
  __ssr_join "$@"
  case "\${2-}" in -*e*)
    case "$__ssr_format$__ssr_words" in %b*\\\\[!ntr\\\\]*)
      printf 'strands-shell: echo of this escape with -e in a variable is not available here: write echo -e\\n' >&2
      return 2 ;;
    esac ;;
  esac
  printf "$__ssr_format" "$__ssr_words"
}`

/**
 * The engine ignores redirections of functions: what is redirected is a `printf` after this one. What is an option is known
 * when the words are: `x=-n; echo $x a` prints `a` without a line break.
 */
const JOIN = `__ssr_join() {
  local IFS=' '
  __ssr_format="$1"
  shift
  case "\${1-}" in -[neE]*)
    while :; do
      case "\${1-}" in -*[!neE]*|-|[!-]*|'') break ;; esac
      case "$1" in *n*) case "$__ssr_format" in *n) __ssr_format=\${__ssr_format%??} ;; esac ;; esac
      case "$1" in *E) __ssr_format=%s\${__ssr_format#??} ;; *e*) __ssr_format=%b\${__ssr_format#??} ;; esac
      shift
    done ;;
  esac
  __ssr_words="$*"
}`

/**
 * An option without a value leaves none, where the engine leaves an empty one, and none for an empty one. Within letters together the
 * engine's `OPTIND` is already that of the next word.
 */
const GETOPTS = `__ssr_getopts() {
  case "\${__ssr_letters-}" in ?*)
    case "\${OPTIND-}" in "$__ssr_letters_at") OPTIND=$((__ssr_letters_at+1)) ;; *) __ssr_letters= ;; esac ;;
  esac
  getopts "$@" || { __ssr_letters=; unset OPTARG; return 1; }
  eval "__ssr_option=\\$$2"
  case "\${__ssr_letters-}" in
  ?*) __ssr_letters=\${__ssr_letters#?} ;;
  *)
    __ssr_letters_at=$((OPTIND-1))
    case "$__ssr_letters_at" in [1-7]) eval "__ssr_letters=\\\${$((__ssr_letters_at+2))-}"; __ssr_letters=\${__ssr_letters#-?} ;; esac ;;
  esac
  case "$__ssr_option:\${OPTARG-}" in
  [?]:|::) unset OPTARG ;;
  [?]:*) ;;
  ::*) __ssr_letters= ;;
  *) case "$1" in *$__ssr_option:*) __ssr_letters=; OPTARG="\${OPTARG-}" ;; *) unset OPTARG ;; esac ;;
  esac
  case "$__ssr_letters" in ?*) OPTIND=$__ssr_letters_at ;; esac
}`

/** Signs that no name has part the words of a `for`, and end those that were found. */
const PART = `__ssr_part() {
  eval "__ssr_kept=\\\${$1-}"
  __ssr_separators=x\${IFS+i}\${IFS-}
  IFS='\x02'
}`

/** Status 0: the round was the first, and has restored what \`__ssr_part\` changed. */
const WHOLE = `__ssr_whole() {
  case "\${IFS-}" in
  '\x02')
    case "$__ssr_separators" in x) unset IFS ;; *) IFS=\${__ssr_separators#xi} ;; esac
    eval "$1=\\$__ssr_kept"
    return 0 ;;
  esac
  eval "__ssr_kept=\\$$1"
  case "$__ssr_kept" in *'\x01') eval "$1=\\\${__ssr_kept%?}" ;; esac
  return 1
}`

/** Words, each with the signs that end it: `__ssr_part` parts them. */
const FIELDS = `__ssr_fields() {
  local __ssr_one=
  for __ssr_one in "$@"; do printf '%s\x01\x02' "$__ssr_one"; done
}`

/** A text as a pattern that matches it only. */
const LITERAL = `__ssr_literal() {
  local __ssr_rest="$1"
  local __ssr_done=
  local __ssr_head=
  while :; do
    case "$__ssr_rest" in
    *[*?[]*)
      __ssr_head=\${__ssr_rest%%[*?[]*}
      __ssr_done=$__ssr_done$__ssr_head
      __ssr_rest=\${__ssr_rest#$__ssr_head}
      case "$__ssr_rest" in [*]*) __ssr_done="\${__ssr_done}[*]" ;; [?]*) __ssr_done="\${__ssr_done}[?]" ;; *) __ssr_done="\${__ssr_done}[[]" ;; esac
      __ssr_rest=\${__ssr_rest#?} ;;
    *) break ;;
    esac
  done
  printf '%s' "$__ssr_done$__ssr_rest"
}`

/**
 * Looks for the file of a background job until its time, in milliseconds, is over. A program in lua holds all jobs while it
 * runs: the clock tells, too.
 */
const WITHIN = `__ssr_within() {
  local __ssr_spent=0
  local __ssr_now=
  while :; do
    if '[' -s "$1" ']'; then
      __ssr_now=$(lua -e 'io.write(os.time())')
      if '[' $((__ssr_now-$3)) -gt $((($2+999)/1000)) ']'; then return 1; fi
      return 0
    fi
    if '[' $__ssr_spent -ge $2 ']'; then return 1; fi
    if '[' $__ssr_spent -lt 10 ']'; then
      sleep 0.001
      __ssr_spent=$((__ssr_spent+2))
    else
      sleep 0.01
      __ssr_spent=$((__ssr_spent+11))
    fi
  done
}`

/** A duration in milliseconds. */
const DURATION = `__ssr_duration() {
  local __ssr_number=\${1%[smhd]}
  case "$__ssr_number" in
  ''|*[!0-9]*|??????????*) printf 'timeout: invalid time interval: %s\\n' "$1" >&2; return 125 ;;
  esac
  case "$1" in
  *m) printf '%s' "$((__ssr_number*60000))" ;;
  *h) printf '%s' "$((__ssr_number*3600000))" ;;
  *d) printf '%s' "$((__ssr_number*86400000))" ;;
  *) printf '%s' "$((__ssr_number*1000))" ;;
  esac
}`

/** The engine takes `${10}` for `${1}`. */
const ARGUMENT = `__ssr_argument() {
  if '[' $# -gt "$1" ']'; then shift "$1"; printf '%s' "$1"; fi
}`

/** The engine counts bytes. */
const LENGTH = `__ssr_length() {
  case "$1" in *[!' '-'~']*) printf '%s' "$1" | lua -e 'local text = io.read("a"); io.write(utf8.len(text) or #text)' ;; *) printf '%s' "\${#1}" ;; esac
}`

/** In `$( )` the engine knows the status of a program in a function only. */
const GREP_STATUS = `__ssr_grep_status() {
  grep "$@" < /dev/null && printf '.0' || printf '.%s' "$?"
}`

/** A search from the current directory: the engine names files without its dot. */
const GREP_BELOW = `__ssr_grep_below() {
  local __ssr_found=
  __ssr_found=$(__ssr_grep_status "$@")
  set -- "\${__ssr_found##*.}"
  __ssr_found="\${__ssr_found%.*}"
  case "$__ssr_found" in
  '') ;;
  *'
'?*) printf '%s' "$__ssr_found" | sed 's/^/.\\//' ;;
  *) printf './%s' "$__ssr_found" ;;
  esac
  return $1
}`

/** Whether files are UTF-8, as far as they are there; one that is not is named. */
const TEXT = `__ssr_text() {
  local __ssr_one=
  for __ssr_one in "$@"; do
    if '[' -f "$__ssr_one" -a -r "$__ssr_one" ']'; then
      tail -n 1 "$__ssr_one" < /dev/null > /dev/null 2> /dev/null || { printf 'cat: %s, which is no UTF-8, is not available here\\n' "$__ssr_one" >&2; return 1; }
    fi
  done
}`

/** Whether a file is what the engine's own program is right about: the program, the test of the file, and the file. */
const FITS = `__ssr_fits() {
  if '[' "$2" "$3" ']'; then :; else return 1; fi
  case "$1" in sed) __ssr_ended "$3" ;; esac
}`

/** Runs a program of the engine, or ours where its file does not fit: the test, the file, ours, and the command. */
const READING = `__ssr_reading() {
  local __ssr_other="$3"
  if __ssr_fits "$4" "$1" "$2"; then shift 3; "$@"; else shift 4; lua "$__ssr_other" "$@"; fi
}`

/**
 * The same with the output in a file, by way of `cat`, which ends when all is there. Behind a file for messages and that of
 * the output. A program has status 0 where it has written no message; one that has runs again for its status.
 */
const INTO = `__ssr_into() {
  local __ssr_at="x\${__ssr_at-}"
  local __ssr_said="$1$__ssr_at\${__ssr_job-}"
  __ssr_to="$2"
  { cat > "$__ssr_to"; } < /dev/null || return 1
  shift 2
  local __ssr_other="$3"
  case "$1" in
  '') shift 3 ;;
  *) if __ssr_fits "$4" "$1" "$2"; then shift 3; else shift 4; set -- lua "$__ssr_other" "$@"; fi ;;
  esac
  "$@" 2> "$__ssr_said" | ${storedOrReturn('"$__ssr_to"')}
  if '[' -s "$__ssr_said" ']'; then cat "$__ssr_said" >&2; "$@" > /dev/null 2> /dev/null; fi
}`

/**
 * Moves a file to another place by the engine's own `mv`, behind the path of ours. The engine's loses a file that moves to
 * itself, and puts one below a directory of its name.
 */
const MOVE = `__ssr_move() {
  case "$2 $3" in
  [!a-zA-Z0-9_./]*|*' '[!a-zA-Z0-9_./]*|*/) ;;
  *) if '[' -f "$2" -a ! "$2" -ef "$3" -a ! -d "$3" ']'; then 'mv' "$2" "$3"; return $?; fi ;;
  esac
  lua "$@"
}`

/** Unsets what `env -i` takes away: all but what the shell and the runtime need. */
const CLEAR = `__ssr_clear() {
  local __ssr_one=
  local IFS='\n'
  for __ssr_one in $(env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p'); do
    case "$__ssr_one" in __ssr_*|IFS|PATH|PWD) ;; *) unset "$__ssr_one" ;; esac
  done
}`

/** `mkdir -p`, behind the path of our own: the engine's makes all where each directory is there or can be made. */
const PARENTS = `__ssr_parents() {
  local __ssr_own="$1"
  local __ssr_one=
  shift
  for __ssr_one in "$@"; do
    case "$__ssr_one" in
    -p) ;;
    [!a-zA-Z0-9_./]*) lua "$__ssr_own" "$@"; return $? ;;
    *)
      if '[' -d "$__ssr_one" ']'; then :
      elif '[' -e "$__ssr_one" ']'; then lua "$__ssr_own" "$@"; return $?
      elif 'mkdir' -p "$__ssr_one" 2> /dev/null; then :
      else lua "$__ssr_own" "$@"; return $?
      fi ;;
    esac
  done
  case $# in 1) lua "$__ssr_own" "$@" ;; esac
}`

/**
 * Prints a text of a JSON file by the engine's own `jq`, behind the path of ours, where it is one line that begins as no number, list or
 * object does. Of anything else it may print another form.
 */
const JSON_TEXT = `__ssr_json_text() {
  local __ssr_end='\n'
  local __ssr_found="$('jq' "$2" "$3" "$4" 2> /dev/null && printf x)"
  case "$__ssr_found" in
  *"$__ssr_end"?*"$__ssr_end"x) ;;
  [a-zA-Z_/@~.]*"$__ssr_end"x|[0-9]*.*.*"$__ssr_end"x) printf '%s' "\${__ssr_found%x}"; return 0 ;;
  esac
  lua "$@"
}`

/** A message of a builtin, to where its command says: an error, nothing, output, or a file that begins or goes on. */
const SAY = `__ssr_say() {
  case "$1" in
  e) printf '%s\\n' "$3" >&2 ;;
  o) printf '%s\\n' "$3" ;;
  a) printf '%s\\n' "$3" >> "$2" ;;
  esac
}`

/** Behind where its messages go: the directory. */
const CD = `__ssr_cd() {
  local __ssr_mode="$1"
  case "$1" in w) __ssr_mode=a; { printf '' > "$2"; } < /dev/null || return 1 ;; a) { printf '' >> "$2"; } < /dev/null || return 1 ;; esac
  case $# in 2) 'cd'; return $? ;; esac
  case "$3" in '') return 0 ;; -) 'cd' -; return $? ;; esac
  if '[' -d "$3" ']'; then 'cd' "$3"; return $?; fi
  if '[' -e "$3" ']'; then set -- "$1" "$2" "$3" 'Not a directory'; else set -- "$1" "$2" "$3" 'No such file or directory'; fi
  __ssr_say "$__ssr_mode" "$2" "strands-shell: cd: $3: $4"
  return 1
}`

/** A file of a redirection: bash opens none where its word becomes several, and the engine takes it for one name. */
const TARGET = `__ssr_target() {
  case "$1" in
  *[*?[' \t']*|*'
'*) printf 'strands-shell: %s: ambiguous redirect\\n' "$1" >&2; printf '%s' '/dev/null/ambiguous' ;;
  *) printf '%s' "$1" ;;
  esac
}`

/** Every session has it: texts around translations call it, too. */
export const STATUS_HELPER = oneLine(STATUS)

/** The names of programs where commands begin. Quoted, they are no aliases of the session. */
const PROGRAMS =
  /(?<=(?:^|[;|&{(]|\bthen|\belse|\bdo|\)) *)(?:cat|command|eval|getopts|grep|lua|printf|read|sed|sleep|tail|type)(?= )/gm

/** Functions that translations call, by name. One that calls another stands behind it. */
const HELPERS = Object.entries({
  order: oneLine(ORDER),
  join: oneLine(JOIN),
  echo: oneLine(ECHO),
  characters: oneLine(CHARACTERS),
  whole_line: oneLine(LINE),
  read: oneLine(READ),
  getopts: oneLine(GETOPTS),
  part: oneLine(PART),
  whole: oneLine(WHOLE),
  fields: oneLine(FIELDS),
  literal: oneLine(LITERAL),
  within: oneLine(WITHIN),
  duration: oneLine(DURATION),
  argument: oneLine(ARGUMENT),
  length: oneLine(LENGTH),
  grep_status: oneLine(GREP_STATUS),
  grep_below: oneLine(GREP_BELOW),
  regex: oneLine(REGEX),
  ended: oneLine(ENDED),
  text: oneLine(TEXT),
  fits: oneLine(FITS),
  reading: oneLine(READING),
  into: oneLine(INTO),
  move: oneLine(MOVE),
  parents: oneLine(PARENTS),
  clear: oneLine(CLEAR),
  json_text: oneLine(JSON_TEXT),
  say: oneLine(SAY),
  cd: oneLine(CD),
  kind: oneLine(KIND),
  named: oneLine(NAMED),
  type: oneLine(TYPE),
  target: oneLine(TARGET),
}).map(([name, text]) => [name, text.replaceAll(PROGRAMS, "'$&'")] as const)

const CALLERS_FIRST = HELPERS.toReversed()

/** The definitions of the helpers that a text calls. */
export function helpersOf(text: string): string {
  let needed = ''
  for (const [name, definition] of CALLERS_FIRST)
    if (text.includes(`__ssr_${name} `) || needed.includes(`__ssr_${name} `))
      needed = `${definition}\n${needed}`
  return needed
}

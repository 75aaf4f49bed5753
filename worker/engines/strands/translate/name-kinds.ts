/** Programs that the runtime has and the engine does not know: `sh`, and what `RUNTIME_COMMANDS` of the tools has. */
export const ADDED_PROGRAMS: ReadonlySet<string> = new Set(
  'awk base64 bash cmp column comm dash diff egrep expr fgrep fold gunzip gzip hostname id md5sum nl od paste printenv realpath rev seq sh sha1sum sha256sum shuf split stat tac tar timeout tree uname which whoami xxd zcat'.split(
    ' ',
  ),
)

/** What bash calls a keyword, and what a builtin. */
const KEYWORDS =
  'if|then|else|elif|fi|case|esac|for|select|while|until|do|done|in|function|time|{|}|!|[[|]]|coproc'
    .split('|')
    .map((word) => `'${word}'`)
    .join('|')
const BUILTINS =
  '.|:|[|alias|bg|bind|break|builtin|caller|cd|command|compgen|complete|compopt|continue|declare|dirs|disown|echo|enable|eval|exec|exit|export|false|fc|fg|getopts|hash|help|history|jobs|kill|let|local|logout|mapfile|popd|printf|pushd|pwd|read|readarray|readonly|return|set|shift|shopt|source|suspend|test|times|trap|true|type|typeset|ulimit|umask|unalias|unset|wait'
    .split('|')
    .map((word) => `'${word}'`)
    .join('|')

/** The kind of a name, as `type -t` says it; the programs of the runtime are files, as those of the engine. */
export const KIND = `__ssr_kind() {
  __ssr_kind_is=file
  case "$1" in ${KEYWORDS}) __ssr_kind_is=keyword; return 0 ;; esac
  case "$(type "$1" 2> /dev/null)" in
  *' is a shell function') __ssr_kind_is=function; return 0 ;;
  *' is an alias for __ssr_'*) __ssr_kind_is=builtin; return 0 ;;
  *' is an alias for '*) __ssr_kind_is=alias; return 0 ;;
  *' is a'*) case "$1" in ${BUILTINS}) __ssr_kind_is=builtin ;; esac; return 0 ;;
  esac
  case "$1" in ${[...ADDED_PROGRAMS].join('|')}) return 0 ;; ${BUILTINS}) __ssr_kind_is=builtin; return 0 ;; esac
  return 1
}`

/** Behind `all` or `any`, which tells its status, and `p` where it prints: names of commands, as \`command -v\` has them. */
export const NAMED = `__ssr_named() {
  local __ssr_missing=
  local __ssr_there=
  local __ssr_asked="$1"
  local __ssr_prints="$2"
  local __ssr_one=
  shift 2
  for __ssr_one in "$@"; do
    if __ssr_kind "$__ssr_one"; then
      __ssr_there=1
      case "$__ssr_prints$__ssr_kind_is" in
      palias) command -v "$__ssr_one" ;;
      pfile) if type "$__ssr_one" > /dev/null 2> /dev/null; then command -v "$__ssr_one"; else printf '/usr/bin/%s\\n' "$__ssr_one"; fi ;;
      p*) printf '%s\\n' "$__ssr_one" ;;
      esac
    else __ssr_missing=1; fi
  done
  case "$__ssr_asked$__ssr_there:$__ssr_missing" in any:*|all*:1) return 1 ;; esac
}`

/** Behind where its messages go: the names, or \`-t\` and the names. */
export const TYPE = `__ssr_type() {
  local __ssr_mode="$1"
  local __ssr_to="$2"
  local __ssr_code=0
  local __ssr_kinds=
  local __ssr_one=
  case "$1" in w) __ssr_mode=a; { printf '' > "$2"; } < /dev/null || return 1 ;; esac
  shift 2
  case "$1" in -t) __ssr_kinds=1; shift ;; esac
  for __ssr_one in "$@"; do
    if __ssr_kind "$__ssr_one"; then
      case "$__ssr_kinds$__ssr_kind_is" in
      1*) printf '%s\\n' "$__ssr_kind_is" ;;
      file) printf '%s is /usr/bin/%s\\n' "$__ssr_one" "$__ssr_one" ;;
      function)
        printf 'strands-shell: the text of the function %s is not available here: use type -t NAME\\n' "$__ssr_one" >&2
        return 2 ;;
      alias) type "$__ssr_one" ;;
      *) printf '%s is a shell %s\\n' "$__ssr_one" "$__ssr_kind_is" ;;
      esac
    else
      case "$__ssr_kinds" in '') __ssr_say "$__ssr_mode" "$__ssr_to" "strands-shell: type: $__ssr_one: not found" ;; esac
      __ssr_code=1
    fi
  done
  return $__ssr_code
}`

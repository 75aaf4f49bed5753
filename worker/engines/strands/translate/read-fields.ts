/** The engine reads each byte as a character: of a line in `__ssr_line` that is not ASCII it makes the text again. */
export const CHARACTERS = `__ssr_characters() {
  __ssr_line=$(printf '%s' "$__ssr_line" | lua -e 'local out = {} for _, code in utf8.codes(io.read("a")) do out[#out + 1] = code < 256 and string.char(code) or utf8.char(code) end local text = table.concat(out) if utf8.len(text) then io.write(text) end')
  case "$__ssr_line" in '') printf 'strands-shell: read of a line that is no UTF-8 is not available here\\n' >&2; return 2 ;; esac
}`

/** A whole line. */
export const LINE = `__ssr_whole_line() {
  local __ssr_line=
  read -r __ssr_line || { eval "$1="; return 1; }
  case "$__ssr_line" in *[!'\t '-'~']*) __ssr_characters || return 2 ;; esac
  eval "$1=\\$__ssr_line"
}`

/**
 * Blanks of IFS part words where they stand together, also around another sign of it. The last variable has all that is left; where that is one
 * field, its sign goes, too.
 */
export const READ = `__ssr_read() {
  local __ssr_raw="$1"
  local IFS="$2"
  shift 2
  local __ssr_line=
  local __ssr_field=
  local __ssr_rest=
  local __ssr_blanks=
  local __ssr_signs=
  local __ssr_used=
  local __ssr_code=0
  case "$IFS" in
  '!'*|'^'*|?*']'*|?*'-'?*|?*'\\\\'*|'\\\\'?*|*'[:'*)
    printf 'strands-shell: read with this IFS is not available here: use one sign\\n' >&2
    return 2 ;;
  esac
  case "$IFS" in *' '*) __ssr_blanks=' ' ;; esac
  case "$IFS" in *'\t'*) __ssr_blanks="$__ssr_blanks\t" ;; esac
  case "$IFS" in
  ''|' '|'\t'|' \t'|' \t''\n') __ssr_signs="$__ssr_blanks" ;;
  *)
    __ssr_signs="$IFS"
    case "$__ssr_blanks" in ?*)
      while :; do
        case "$__ssr_signs" in
        *[$__ssr_blanks]*) __ssr_signs="\${__ssr_signs%%[$__ssr_blanks]*}\${__ssr_signs#*[$__ssr_blanks]}" ;;
        *) break ;;
        esac
      done ;;
    esac ;;
  esac
  read -r __ssr_line || { __ssr_line=; __ssr_code=1; }
  case "$__ssr_line" in *[!'\t '-'~']*) __ssr_characters || return 2 ;; esac
  case "$__ssr_raw$__ssr_line" in
  e*\\\\*) printf 'strands-shell: read of a line with a backslash is not available here: use read -r\\n' >&2; return 2 ;;
  esac
  case "$__ssr_blanks" in ?*)
    while :; do
      case "$__ssr_line" in [$__ssr_blanks]*) __ssr_line=\${__ssr_line#?} ;; *) break ;; esac
    done ;;
  esac
  while :; do
    __ssr_field="$__ssr_line"
    __ssr_rest=
    case "$IFS" in ?*)
      case "$__ssr_line" in *[$IFS]*)
        __ssr_field=\${__ssr_line%%[$IFS]*}
        __ssr_rest=\${__ssr_line#*[$IFS]}
        case "$__ssr_blanks" in ?*)
          if '[' "x$__ssr_field" = "x\${__ssr_line%%[$__ssr_signs]*}" ']'; then __ssr_used=1; else __ssr_used=; fi
          while :; do
            case "$__ssr_rest" in
            [$__ssr_blanks]*) __ssr_rest=\${__ssr_rest#?} ;;
            [$__ssr_signs]*) case "$__ssr_used" in '') __ssr_used=1; __ssr_rest=\${__ssr_rest#?} ;; *) break ;; esac ;;
            *) break ;;
            esac
          done ;;
        esac ;;
      esac ;;
    esac
    case $# in 0|1) break ;; esac
    eval "$1=\\$__ssr_field"
    __ssr_line="$__ssr_rest"
    shift
  done
  case "$__ssr_rest" in
  '') __ssr_line="$__ssr_field" ;;
  *)
    case "$__ssr_blanks" in ?*)
      while :; do
        case "$__ssr_line" in *[$__ssr_blanks]) __ssr_line=\${__ssr_line%?} ;; *) break ;; esac
      done ;;
    esac ;;
  esac
  eval "$1=\\$__ssr_line"
  return $__ssr_code
}`

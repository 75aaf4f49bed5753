import { DRIVER } from './places.ts'

/**
 * What serves files in a jail: a shell that is given lines of its own. Each line calls one of these functions. What they print
 * on standard error has the words of the C locale.
 */
export const filesScript = (umask: number): string => `
LC_ALL=C
PATH=/usr/local/bin:/usr/bin:/bin
export LC_ALL PATH
umask ${umask.toString(8).padStart(4, '0')}
fail() { printf '%s\\n' "$1" >&2; return 1; }
there() { [ -e "$1" ] || [ -L "$1" ] || stat -- "$1" >/dev/null; }
file() { if [ -d "$1" ]; then fail EISDIR; elif [ -p "$1" ] || [ -S "$1" ]; then fail 'it is a pipe or a socket'; fi; }
parent() {
  case $1 in ?*/*) ;; *) return ;; esac
  if [ -e "\${1%/*}" ] && [ ! -d "\${1%/*}" ]; then fail ENOTDIR; else mkdir -p -- "\${1%/*}"; fi
}
read_file() { stat -- "$1" >/dev/null && file "$1" && head -c "$2" -- "$1"; }
write_file() { file "$1" && { [ -e "$1" ] || parent "$1"; } && cat <${DRIVER}/content >"$1"; }
append_file() {
  file "$1" || return
  if [ -e "$1" ]; then [ "$(($(stat -L -c %s -- "$1") + $2))" -le "$3" ] || fail EFBIG || return; else parent "$1" || return; fi
  cat <${DRIVER}/content >>"$1"
}
remove_file() { there "$1" && if [ -d "$1" ] && [ ! -L "$1" ]; then fail EISDIR; else rm -f -- "$1"; fi; }
remove_tree() { there "$1" && rm -rf -- "$1"; }
make_directory() { if [ -d "$1" ]; then :; elif [ -e "$1" ] || [ -L "$1" ]; then fail EEXIST; else mkdir -p -- "$1"; fi; }
list_files() { stat -- "$1" >/dev/null && { [ -d "$1" ] || fail ENOTDIR; } && find -L "$1/" -mindepth 1 -maxdepth 1 -printf '%f\\0%y\\0%s\\0'; }
stat_file() { stat -c '%f %s %.3Y' -- "$1"; }
within() { case $(realpath -m -- "$1") in "$(realpath -- "$2")"/*) ;; *) return 1 ;; esac; }
target() {
  if [ -d "$2" ]; then fail EEXIST; elif [ -d "$1" ] && [ ! -L "$1" ] && { [ -e "$2" ] || [ -L "$2" ]; }; then fail EEXIST
  elif [ -d "$1" ] && [ ! -L "$1" ] && within "$2" "$1"; then fail 'it is inside of what is to be put there'
  elif [ "$1" -ef "$2" ]; then fail 'they are the same file'; else parent "$2"; fi
}
move() { target "$1" "$2" && mv -f -T -- "$1" "$2"; }
copy() { target "$1" "$2" && cp -R -P -T --preserve=mode --remove-destination -- "$1" "$2"; }
`

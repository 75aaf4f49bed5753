import type { EngineShell } from '../../../../../worker/service/engine-shell.ts'
import { run } from '../open-shell.ts'

/** All that can be seen of a session and its files. */
const LOOK = `echo "$? $PWD $OLDPWD $# $*"; declare -p | grep -v '^declare -[^ ]* _=' | sort; declare -F; set -o; shopt; alias; trap
umask; find / -not -path '/proc/*' -not -path '/dev/*' -not -path '/bin/*' -not -path '/usr/bin/*' | sort | while read -r f; do stat -c '%n %a %F %s' "$f"; [ -f "$f" ] && md5sum "$f"; [ -L "$f" ] && readlink "$f"; done`

export const look = (shell: EngineShell): Promise<[number, string, string]> => run(shell, LOOK)

/** Commands that change a session. `/data/a` is a file that it began with. */
export const STEPS: readonly string[] = [
  'x="a  b"; y=$x$RANDOM',
  'unset x y HOME',
  'export E=1 PATH; readonly R=2',
  'a=(1 "b c" 3); unset "a[0]"; a[7]=x',
  'declare -A m=([k]="v w" [z]=1); m[new]=$RANDOM',
  'unset a; unset m',
  'declare -i n=3; declare -u U=up; declare -l L=LOW; declare never; n+=4',
  'declare -n ref=x; x=through',
  'f() { local v=$((1 << 40)); echo "$v $1"; eval "echo \\"$1\\""; for w; do echo $w; done; }',
  'g() { h() { echo "h $1"; }; h "$@"; cat <<EOF\nhere $1\nEOF\n}; g 1',
  'f() { [[ $1 =~ ^(a+)$ ]] && echo ${BASH_REMATCH[1]}; case $1 in a*) echo A;; esac; (( $1 + 2 * 3 )); }',
  'unset -f f',
  'set -u; set -o pipefail',
  'set +u; shopt -s nullglob',
  'shopt -s expand_aliases; alias hi=\'echo "hello"\'',
  'mkdir -p d/e && cd d; echo one > one; echo two >> e/two',
  'cd; cd /tmp',
  'set -- a "b c" $#',
  'umask 077; echo secret > secret; umask 022',
  'ln -s /data/a link; cp /data/a copy; chmod 600 copy',
  'cp /data/a /data/b; mv /data/a /data/c',
  'rm -rf /data/b d/e /etc/hosts',
  'touch -d "2001-02-03" /etc/passwd; echo more >> /etc/group',
  'head -c 3000 /dev/zero > zeros; printf "\\xff\\x00" > bytes',
  "trap 'echo bye' INT; trap 'echo gone' TERM",
  'trap - INT',
  '(exit 7)',
  'cat <(echo a) > from; t=$(mktemp); rm "$t"',
  'echo "k() { echo k; }" > lib; . ./lib',
  'eval "q() { echo q; }"; OPTIND=1; getopts ab o -a',
  'exit 3',
]

/** Calls that use what those commands leave behind. */
export const CALLS: readonly string[] = [
  'f a 2 >/dev/null; f a',
  'g x',
  'h 1; k; q',
  'hi',
  'm[k]=2; n+=1; echo $n ${m[k]}',
]

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BASH, inBash, inEngine } from './support/beside-bash.ts'

/** Scripts that must give the stdout and the status that bash gives. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  'elements of arrays within words': [
    'a=(one "two words" three); for x in "pre-${a[@]:1}-post" ${a[@]#t} ${a[@]/o/0}; do echo "<$x>"; done',
    'a=(one "two words"); for x in "${a[@]^}" "p${a[@]^^}q" "${a[@],,}"; do echo "<$x>"; done',
    'set -- one "two words"; for x in "${@^}" "pre-${@:2}-post" "x${@/o/0}y"; do echo "<$x>"; done',
    'a=(x y z); IFS=,; echo "${a[*]^^}" "pre${a[*]:1}" ${a[*]/x/q}; v=${a[@]^}; echo "$v"',
    'a=(); for x in "${a[@]^}" "p${a[@]:1}q"; do echo "<$x>"; done; set -u; b=("${a[@]^^}"); echo ${#b[@]}',
    'a=(one two); [[ " ${a[@]^^} " == *" ONE "* ]] && echo has; cat <<E\n${a[@]^^}\n${a[@]:1}\nE',
  ],
  'expressions that fail': [
    'echo $((1 / 0)); echo same line',
    'echo a\necho $((1/0)); echo b\necho c $?; x=5; a=(1 2)\necho $((2/0))\necho $x $? ${a[1]}',
    'f() {\necho $((1/0))\necho no\n}\nf\necho yes $?\n(\necho $((1/0))\necho no\n)\necho sub $?',
    'y=$(echo $((1/0)); echo no)\necho "<$y> $?"\necho $((1/0)) | cat; echo after\nexit 4',
    'set -e\necho $((1/0))\necho reached',
    'echo $((5 += 2)); echo no\necho on',
    "trap 'echo bye $?' EXIT\necho $((3 % 0))\necho fine\nfalse",
  ],
  'wide ranges': [
    'echo {1..30000} | md5sum',
    'echo {100000..1..7} | md5sum',
    'for i in {1..20000}; do :; done; echo $i; echo {1..3} {c..a} {x,y}{1..2}',
  ],
  printf: [
    "printf '%f\\n' text; echo $?; printf '%d\\n' text; echo $?; printf '%d %s\\n' 3x y; echo $?; printf \"%5.1f|%e\\n\" abc def; echo $?",
    "printf '%s\\n' a b c; printf '%s-%s\\n' a b c; printf '%s\\n'; printf 'x\\n'; printf '%d\\n'; printf '%5s|%-5s|%05d|%+d|%x|%X|%o|%c|%%\\n' ab cd 42 7 255 255 8 hello",
    "printf '%b' 'a\\tb\\n' 'c\\\\d\\n'; printf '%q\\n' 'a b' \"it's\" '' 'x'; printf '%s' ''; printf '%c|' '' a bc | od -c",
    "printf -v x '%03d' 7; echo $x; printf -v 'a[2]' '%s' hi; echo ${a[2]}; printf -v y '%s,' 1 2 3; echo $y",
    "printf '%d %d %d\\n' 0x1f 017 \"'A\"; printf '%i\\n' -5; printf '%u\\n' -1; printf '%5.2f %.0f %g %G %e\\n' 3.14159 2.5 1e10 0.0001 12345.678",
    "printf '%*d|%-*d|%.*f\\n' 5 42 6 7 2 3.14159; printf '%.3s|%10.2s|\\n' abcdef xyz; printf '\\x41\\101\\n'; printf 'a\\cb'; echo",
    "printf '%(%Y)T\\n' 0; printf -- '-%s-\\n' x; printf '%s %s\\n' \"${a[@]}\"; printf '%-20s%s\\n' name value; printf '=%.0s' {1..10}; echo",
    "printf \"%s\\t%s\\n\" a b; printf '%5d%%\\n' 50; printf '%#x %#o\\n' 255 8; printf '% d\\n' 5; printf \"%'d\\n\" 1000; printf 'no newline'; printf '\\n%s' \"é\" | wc -c",
    "printf '%5s|%-5s|\\n' é ü; printf '%s\\n' \"a\\nb\"; printf \"%b\\n\" \"a\\nb\"; printf '%d\\n' ' 5'; printf '%d\\n' ''; echo $?; printf '%x\\n' -1; printf '%.2f\\n' 1,5; echo $?",
    'printf "%.0f %.0f %.1f %.2f\\n" 0.5 1.5 0.25 0.125; printf "%d\\n" 9223372036854775808; echo $?',
  ],
  'a writer whose reader has ended': [
    'seq 1 100000 | head -1; echo "${PIPESTATUS[@]}"; seq 1 5 | head -1; echo "${PIPESTATUS[@]}"',
    'set -o pipefail; yes | head -1; echo $?; ! yes | head -1; echo $?; yes | cat | head -2; echo "${PIPESTATUS[@]}"',
    'set -euo pipefail; yes | head -1; echo no',
    'if seq 1 100000 | head -2 | tail -1; then echo ok; fi',
  ],
  'the size of a directory': [
    'mkdir d; [ -s d ] && echo yes; [ ! -s d ] || echo no; test -s none || echo none; [[ -s d && ! -s none ]] && echo both',
  ],
}

for (const [kind, scripts] of Object.entries(SCRIPTS))
  for (const script of scripts)
    test.skipIf(!existsSync(BASH))(`does what bash does with ${kind}: ${script}`, async () => {
      const { stdout, exitCode } = await inEngine(script)
      expect({ stdout, exitCode }).toEqual(inBash(script))
    })

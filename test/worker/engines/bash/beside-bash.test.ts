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

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, describe, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { bash } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

/** What a script prints, and whether it ended at a variable. */
async function here(script: string) {
  await using sandbox = await host.open()
  const { stdout, stderr, exitCode } = await sandbox.execute(script)
  return { stdout, exitCode, isTold: /: (?:parameter not set|m)\n$/.test(stderr) }
}

/** The same in bash, with the status that Strands Shell has for it. */
function there(script: string) {
  const { stdout, stderr, exitCode } = bash(script)
  const isTold = /: (?:unbound variable|parameter not set|parameter null or not set|m)\n$/.test(stderr)
  const isEnded = isTold && (exitCode === 127 || exitCode === 1)
  return { stdout, exitCode: isEnded ? 2 : exitCode, isTold }
}

/** Scripts that end at a variable, or where a part of them does. */
const ENDING: readonly string[] = [
  'set -u; echo a $nope; echo after',
  'set -u; echo $nope || echo next; echo after',
  'set -eu; if echo $nope; then echo y; fi; echo after',
  'set -u; ! echo $nope; echo after',
  'set -u; true && echo $nope; echo after',
  'set -u; x=1; [ $x ] && y=$nope; echo after',
  'set -u; [ "$nope" = a ] || echo next; echo after',
  'set -u; [[ $nope == a ]] || echo next; echo after',
  'set -u; x=1; [[ -n $x && $nope == a ]]; echo after',
  'set -u; (( nope > 1 )); echo after',
  'set -u; echo $((nope + 1)); echo after',
  'set -u; for ((i = 0; i < nope; i++)); do :; done; echo after',
  'set -u; for i in 1 2; do echo $i $nope; done; echo after',
  'set -u; while echo $nope; do break; done; echo after',
  'set -u; for i in $nope; do :; done; echo after',
  'set -u; case $nope in *) echo star ;; esac; echo after',
  'set -u; read -r x <<< "$nope"; echo after',
  'set -u; echo a > "$nope"; echo after',
  'set -u; x=1 echo $x; echo after',
  'set -u; echo $1; echo after',
  'set -u; set -- a; echo "$1" "${2}"; echo after',
  'set -u; echo ${nope%x}; echo after',
  'set -u; echo ${#nope}; echo after',
  'set -u; echo "${nope:1}"; echo after',
  'set -u; x=${nope//a/b}; echo after',
  'set -u; echo ${x:-$nope}; echo after',
  'set -u; x=1; echo ${x+"$nope"}; echo after',
  'set -u; x=1; unset x; echo $x; echo after',
  'set -euo pipefail; echo $nope; echo after',
  'set -o nounset; f() { echo $nope; echo end; }; f; echo after',
  'set -u; f() { local x=$nope; echo end; }; f || echo next; echo after',
  'set -u; f() { echo "$1"; echo end; }; f a; f; echo after',
  'set -u; g() { for i in $nope; do :; done; }; f() { if g; then echo y; fi; }; f; echo after',
  'set -u; f() { while :; do [ $nope ]; done; }; f; echo after',
  'set -u; f() { case $nope in *) echo star ;; esac; }; ! f; echo after',
  'set -u; { echo a; echo $nope; echo b; } > out; echo after',
  'set -u; f() { echo a; echo $nope; }; f > out; echo after',
  'set -u; f() { echo a; echo $nope; }; for i in 1 2; do f; done >> out; echo after',
  "set -u; trap 'echo bye' EXIT; f() { echo $nope; }; f; echo after",
  'set -u; (echo a; echo $nope; echo b); echo after',
  'set -u; f() { (echo $nope); echo after; }; f',
  'set -u; echo "$(echo a; echo $nope; echo b)"; echo after',
  'set -u; echo "$(echo $1)"; echo after',
  'set -eu; x=$(echo a; echo $nope; echo b) || echo "next $x"; echo after',
  'set -u; f() { echo a; echo $nope; }; x="$(f; echo b)"; echo "after $x"',
  'set -u; echo $nope | cat; echo after',
  'set -u; echo $1 | cat; echo after',
  'set -u; printf "1\\n2\\n" | while read -r x; do echo $x $nope; done; echo after',
  'set -u; f() { echo a; echo $nope; }; f | cat; echo after',
  'set -u; echo $nope & wait; echo after',
  "bash -uc 'echo $nope; echo in it'; echo after",
  "bash -c 'set -u; f() { echo $1; }; f; echo in it' || echo next",
  'echo ${nope?m}; echo after',
  'echo "${1:?m}" || echo next; echo after',
  'f() { : "${1:?m}"; echo end; }; f a; f; echo after',
  'f() { local x=${1?m}; echo end; }; f || echo next; echo after',
  'x=; if true && echo ${x:?m}; then echo y; fi; echo after',
  'f() { echo a; echo ${nope?m}; }; { f; echo b; } > out; echo after',
  '(echo ${nope?m}); echo after',
]

/** Scripts that end at no variable. */
const WHOLE: readonly string[] = [
  'set -u; echo "$@" $* $# $? "${@}" ${x:-d} ${x-} ${x+y} "$$" | wc -w',
  'set -u; : "${x:=3}"; echo $x ${y=4} $y $((z = 5)) $z; unset x; echo ${x:-${y-none}} ${x+$x}',
  'set -u; [[ -n ${x-} && $x == a ]] || echo next; [ -n "${x+y}" ] && echo $x; echo after',
  'set -u; false; echo $?; f() { echo "f $?"; return $1; }; x=3; false; f $x; echo "$? $x"; false; [ $? -eq $((x - 2)) ] && echo yes',
  'set -eu; x=1; [ $x = 2 ] || echo no; f() { [ "$1" = 1 ]; }; f 2 || echo two; f 1 && echo one; ! f 2; echo after',
  'set -u; x=2; for ((i = 0; i < x; i++)); do echo $i; done | cat; { echo $x; } > out; cat out; cat << E\n$x\nE',
  'set -u; f() { local a=$1; shift; echo "$a $# ${1-none}"; }; f 1; f 1 2 | cat; y=$(f 3); echo "$y"',
  'set -u; set +u; echo "[$nope]$1"; f() { echo "<$1$nope>"; }; f; echo after',
  'set -u; true || echo $nope; if false; then echo $nope; fi; echo after',
  'x=1; f() { : "${1:?m}"; echo "$?$1"; }; echo ${x?m} ${nope:-${x:?m}}; f a | cat; f b > out; cat out',
]

describe('set -u and ${x?}', () => {
  it.each([...ENDING, ...WHOLE])('%s', async (script) => {
    expect(await here(script)).toEqual(there(script))
  })

  it('last for the commands after', async () => {
    await using sandbox = await host.open()
    await sandbox.execute('set -u; f() { echo "$1"; echo end; }')
    expect(await sandbox.execute('echo $nope; echo after')).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await sandbox.execute('f; echo after')).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await sandbox.execute('f a; set +u; f; echo after')).toMatchObject({
      exitCode: 0,
      stdout: 'a\nend\n\nend\nafter\n',
    })
  })

  it('are refused where functions of earlier commands have variables', async () => {
    await using sandbox = await host.open()
    await sandbox.execute('f() { echo "$1"; }; g() { echo "$@"; }')
    const { exitCode, stderr } = await sandbox.execute('set -u')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'strands-shell: set -u after the definition of f is not available here: define functions with variables after it, or use a BashSandbox\n',
    })
    expect((await sandbox.execute('f() { echo "$1"; }; set -u; f a')).stdout).toBe('a\n')
  })
})

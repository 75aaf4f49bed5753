// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, describe, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { bash, unlikeBash, withFiles } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

const SAME: readonly string[] = [
  'x=-5; y=0; echo $((x * 2)) $(($x * 2)) $((2 - $x)) $((y)) $((-x)); n=042; echo $((n + 1)); h=0x1f; echo $((h)) $(($h + 1))',
  'x=5; f() { echo $(($1 + $2)) $((${1} * x)) $((${2:-0} + 1)); }; f 3 4; f 042 -1; echo $(f 1 2)',
  'unset t; t=$(($t + 5)); echo $t; t=$((t + 5)); echo $t; e=; echo $((e + 1)) $((1 + e)); echo $(( $e ))',
  'while read -r a b; do s=$((s + a * b)); done <<< "3 4"; echo $s; for i in $(echo 1 2); do ((s += i)); done; echo $s',
  'echo $(( $(echo 4) + $(cat g | wc -l) )) $((${#PWD} > 0)) $(( $(date +%s) > 5 )); x=$(( $(wc -l < f) * 2 )); echo $x',
  'x=8; for ((i = 0; i < x; i += 3)); do echo $i; done; y=$(echo 3); for ((i = 0; i < y; i++)); do echo $i; done',
  'n=$(echo 3); while ((n > 0)); do echo $n; ((n--)); done; until [ $((n)) -ge 2 ]; do n=$((n + 1)); done; echo $n',
  'x=abcdef; n=$(echo 2); echo ${x:n} ${x:$n:2} ${x:n+1} ${x:(-2)} ${x:${#x}-1} ${x:$((n - 1))}; m=1+1; echo ${x:m}',
  'false; echo $? $((${x:-1} + 1)); n=$(echo 2); false; echo $((n + 1)) $?; set -e; n=$(echo 3); r=$((n * 2)); echo $r',
  'n=$(echo 4); [[ $((n * 2)) -eq 8 ]] && echo yes; [ $((n % 3)) -eq 1 ] || echo no; echo $((n / 2)) | cat; (echo $((n ** 2)))',
  'n=$(echo 4); case $((n + 1)) in 5) echo five ;; esac; for i in $((n)) $((n + 1)); do echo $i; done; cat <<< $((n - 1)); echo $((n)) > o; cat o',
  'n=$(echo 4); cat <<E\n$((n + 1))\nE\nif true; then cat <<E\n$((n + 2))\nE\nfi; f() { local v=$(($1 * n)); echo $v; return $((v % 5)); }; f 3; echo $?',
  'x=7 y=$((x + 1)); echo $y; a=$(echo 1) b=$((a + 1)); echo $a $b; export c=$((b * 2)); echo $c; readonly d=$((c + 1)); echo $d',
]

it('computes what bash computes of values that a script does not tell', async () => {
  expect(await unlikeBash(host, SAME)).toEqual([])
})

/** Commands that bash ends at a value. */
const WRONG: readonly string[] = [
  'x=08; echo $((x + 1)); echo after',
  'x=08; echo $(($x + 1)); echo after',
  'x=1.5; echo $((x)); echo after',
  "x='a b'; echo $((x + 1)); echo after",
  "x='$'; echo $((x + 1)); echo after",
  "x='1 +'; echo $((x)); echo after",
  "x='5/0'; echo $((x)); echo after",
  'x=y; y=08; echo $((x)); echo after',
  'x=abc; echo $((10#$x)); echo after',
  'x=; echo $((10#$x)); echo after',
  'x=-08; echo $((10#$x)); echo after',
  'x=; echo $((2 * $x)); echo after',
  'x=abc; n=08; echo ${x:n}; echo after',
  'f() { echo $(($1 + 1)); echo in; }; f 1.5; echo after',
  'x=$(( $(echo 08) + 1 )); echo $x; echo after',
]

describe('ends with status 2 and a message where bash ends with an error', () => {
  it.each(WRONG)('%s', async (command) => {
    const { exitCode, stdout, stderr } = await withFiles(host, command)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^strands-shell: .+\n$/)
    expect(bash(command).stdout).not.toContain('after')
  })
})

it('ends with status 2 at a value in (( )), where bash goes on', async () => {
  const command = 'f() { for ((i = 0; i < $1; i++)); do echo $i; done; echo in; }; f 1.5; echo after'
  expect(await withFiles(host, command)).toMatchObject({ exitCode: 2, stdout: '' })
})

it.each([
  'echo $((08))',
  'echo $((1.5))',
  'echo $((1 +))',
  'echo $((a b))',
  'echo $((RANDOM % 6))',
  'x=y; y=z; z=5; echo $((x + 1))',
  'x=16#ff; echo $((x))',
  "x='1+2'; echo $(($x * 2))",
])('%s is refused with status 2', async (command) => {
  const { exitCode, stdout, stderr } = await withFiles(host, command)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/^strands-shell: .+ is not available here: .+\n$/)
})

it('a command in which a program was refused has status 2', async () => {
  const { exitCode, stdout } = await withFiles(host, 'sort -m f g | wc -l')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '0\n' })
})

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ShellHost, type StrandsShellSandbox } from '../../../../../src/index.ts'

const host = new ShellHost({ isolation: 'worker' })
let sandbox: StrandsShellSandbox
beforeEach(async () => {
  sandbox = await host.open()
})
afterEach(() => sandbox.close())
afterAll(() => host.close())

const three = "printf 'a\\nb\\nc\\n'"

/** A construct of docs/engine.md, a command with it, and what it prints with status 0. */
const TRANSLATED: readonly (readonly [construct: string, command: string, prints: string])[] = [
  ['head -2', `${three} | head -2`, 'a\nb\n'],
  ['tail -1', `${three} | tail -1`, 'c\n'],
  ['cp -f, mv -f', 'cd /tmp; echo x > a; cp -f a b; mv -f b c; cat c', 'x\n'],
  ['grep -m1', `${three} | grep -m1 '[bc]'`, 'b\n'],
  ['grep -m1 of nothing', `${three} | grep -m1 q || echo none`, 'none\n'],
  ['xargs -n1', "echo a b | xargs -n1 echo '>'", '> a\n> b\n'],
  ['xargs -I{}', "printf 'a b\\nc\\n' | xargs -I{} echo '<{}>'", '<a b>\n<c>\n'],
  ['date -d @N', 'date -u -d @86400 +%F', '1970-01-02\n'],
  ['date -d of a relative day', "date -d '2024-02-28 + 2 days' +%Y/%m/%d", '2024/03/01\n'],
  ['echo of a backslash', "echo 'a\\tb'", 'a\\tb\n'],
  [
    'echo of -n in a variable',
    'x=-n; echo $x a; echo "$x" b; echo "$x " "$x"; y=-e; echo $y "\\t" > /tmp/e; cat /tmp/e; echo -nx',
    'ab-n  -n\n\t\n-nx\n',
  ],
  ['echo -e', "echo -e 'a\\tb'", 'a\tb\n'],
  ['printf %f', "printf '%.2f|%05d\\n' 3.14159 42", '3.14|00042\n'],
  ['wc without padding', `${three} | wc -l`, '3\n'],
  ['seq', 'seq 2 2 6', '2\n4\n6\n'],
  ['tac', `${three} | tac`, 'c\nb\na\n'],
  ['nl', `printf 'a\\n\\nb\\n' | nl`, '     1\ta\n       \n     2\tb\n'],
  ['rev', 'echo abc | rev', 'cba\n'],
  ['paste', `${three} | paste -sd, -`, 'a,b,c\n'],
  ['comm', "cd /tmp; printf 'a\\nb\\n' > x; printf 'b\\nc\\n' > y; comm -12 x y", 'b\n'],
  ['expr', 'expr 6 \\* 7', '42\n'],
  ['tree', 'mkdir -p /tmp/t/d; : > /tmp/t/f; tree /tmp/t', '/tmp/t\n├── d\n└── f\n\n2 directories, 1 file\n'],
  ['which', 'which ls', 'ls\n'],
  ['whoami', 'USER=me; whoami', 'me\n'],
  ['uname', 'uname', 'Linux\n'],
  ['printenv', 'export A=1; printenv A', '1\n'],
  ['cat -A', "printf 'a\\tb\\n' | cat -A", 'a^Ib$\n'],
  ['&>', 'ls nope &> /tmp/o || grep -c nope /tmp/o', '1\n'],
  ['<<<', 'x=1; cat <<< "a $x"; read -r y z <<< "q r s"; echo "$z"', 'a 1\nr s\n'],
  ['{1..3}', 'echo {1..3} {c..a} {01..03}', '1 2 3 c b a 01 02 03\n'],
  ['{a,b}', 'echo x{a,b{1,2}}y', 'xay xb1y xb2y\n'],
  ['${x:1:2}', 'x=abcd; echo "${x:1}" "${x:1:2}" "${x: -1}"', 'bcd bc d\n'],
  ['${x/a/b}', 'x=a.b.a; echo "${x/a/q}" "${x//./-}" "${x/%a/z}"', 'q.b.a a-b-a a.b.z\n'],
  ['${x^^}', 'x=aB; echo "${x^^}" "${x,,}" "${x^}"', 'AB ab AB\n'],
  ['x+=y', 'x=a; x+=b; echo "$x"', 'ab\n'],
  ["$'…'", "echo $'a\\tb'", 'a\tb\n'],
  ['[[ == ]]', 'x=file.txt; [[ $x == *.txt && ! $x == a* ]] && echo yes', 'yes\n'],
  ['[[ =~ ]]', '[[ abc123 =~ ^[a-z]+[0-9]+$ ]] && echo yes', 'yes\n'],
  ['(( ))', 'i=1; (( i++ )); (( i > 1 )) && echo "$i"', '2\n'],
  ['$((i++))', 'i=1; echo $((i++)) $i $((i += 3)) $((2 ** 5))', '1 2 5 32\n'],
  ['for ((…))', 'for ((i = 0; i < 4; i++)); do ((i == 1)) && continue; echo $i; done', '0\n2\n3\n'],
  ['function f {', 'function f {\n  echo "$1"\n}\nf x', 'x\n'],
  ['f() ( … )', 'x=1; f() { ( x=2; echo $x ); }; f; echo $x', '2\n1\n'],
  ['| while read', `${three} | while read -r x; do echo "<$x>"; done | tail -1`, '<c>\n'],
  ['| { … }', `${three} | { read -r x; echo "first $x"; cat; }`, 'first a\nb\nc\n'],
  ['IFS=, read', 'echo a,b | while IFS=, read -r x y; do echo "$y$x"; done', 'ba\n'],
  ['read trims', 'printf \'  a b  \\n\' | while read -r x; do echo "[$x]"; done', '[a b]\n'],
  ['read at the end', 'printf \'a\\nb\' | while IFS= read -r x || [ -n "$x" ]; do echo $x; done', 'a\nb\n'],
  ['a here-document in if', 'x=1\nif true; then\n  cat <<E\na $x "q" \\$x\nE\nfi', 'a 1 "q" $x\n'],
  ['a here-document of a loop', 'while read -r x; do echo "$x."; done <<\'E\'\n$a\nE', '$a.\n'],
  ['exit in a function', 'f() { exit 3; }; (f; echo no); echo $?', '3\n'],
  ['the status of x=$(…)', 'x=$(false) || echo failed', 'failed\n'],
  ['$? in $(…)', 'echo "$(false; echo $?)"', '1\n'],
  ['! of a group', '! { false; }; echo $?', '0\n'],
  ['set -e and !', 'set -e; ! true; echo on', 'on\n'],
  ['f > file', 'f() { echo x; }; f > /tmp/o; cat /tmp/o', 'x\n'],
  ['{ …; } 2> file', '{ ls nope; } 2> /tmp/o || grep -c nope /tmp/o', '1\n'],
  [
    'bash FILE',
    "printf '%s\\n' 'echo \"$0 $1 $#\"; [[ a == a ]] && echo t' > /tmp/s; bash /tmp/s x y",
    '/tmp/s x 2\nt\n',
  ],
  [
    './script',
    'cd /tmp; printf \'#!/bin/bash\\necho "$1" {1..2}; exit 4\\n\' > s; chmod +x s; ./s q || echo $?',
    'q 1 2\n4\n',
  ],
  [
    'bash -c',
    'bash -c \'echo "$0 $1"; [[ a == a ]] && echo {1..2}; exit 3\' me q || echo $?',
    'me q\n1 2\n3\n',
  ],
  ['bash -lc, sh -c', "bash -lc 'x=abc; echo ${x:1}' | cat; sh -c 'echo a'", 'bc\na\n'],
  ['bash -e FILE', "printf 'false; echo no\\n' > /tmp/s; bash -e /tmp/s || echo $?", '1\n'],
  ['bash -o pipefail', "bash -eo pipefail -c 'false | true; echo no' || echo $?", '1\n'],
  ['bash << END', "bash <<'E'\necho {1..2}\nE\nbash -s a b <<'E'\necho $# $2\nE", '1 2\n2 b\n'],
  [
    'input of a script',
    "printf 'read -r x; echo \"[$x]\"; cat\\n' > /tmp/s; printf 'a\\nb\\n' | bash /tmp/s",
    '[a]\nb\n',
  ],
  ['a script that is not there', 'bash /tmp/none 2>/dev/null || echo $?', '127\n'],
  [
    './script of lua',
    "cd /tmp; printf '#!/usr/bin/env lua\\nprint(arg[1], io.read())\\n' > l; chmod +x l; echo in | ./l a",
    'a\tin\n',
  ],
  ['env NAME=V C', 'env A=1 B=2 printenv B; env echo x | head -1', '2\nx\n'],
  ['NAME=V lua', 'A=1 lua -e \'print(os.getenv("A"))\'; echo "[$A]"', '1\n[]\n'],
  ['command C', "command echo -e 'a\\tb'; command -v ls", 'a\tb\nls\n'],
  ['ls -d', 'cd /tmp; : > b; ls -d b /nope 2>/dev/null || echo $?', 'b\n2\n'],
  [
    'stat -c',
    "printf abc > /tmp/f; chmod 640 /tmp/f; stat -c '%s %n %a %F' /tmp/f",
    '3 /tmp/f 640 regular file\n',
  ],
  ['> /dev/stdout', 'echo a > /dev/stdout; ls /nope 2> /dev/stdout | wc -l', 'a\n1\n'],
  ['. FILE', "echo 'y=${x:1}' > /tmp/s; x=abc; . /tmp/s; echo $y", 'bc\n'],
  ['sort -rn', "printf '2 b\\n2 a\\n10 c\\n' | sort -rn", '10 c\n2 b\n2 a\n'],
  ['sort -k2,2nr', "printf 'a,2\\nb,10\\n' | sort -t, -k2,2nr", 'b,10\na,2\n'],
  ['uniq of an empty line', "printf '\\n\\na\\n' | uniq", '\na\n'],
  ['grep -l', 'echo q > /tmp/g; grep -l q /tmp/g', '/tmp/g\n'],
  [
    'find -printf',
    "mkdir -p /tmp/fp/d; : > /tmp/fp/d/x; find /tmp/fp -type f -printf '%p %f %h %P\\n'; find /tmp/fp -type f -printf '%p\\0' | xargs -0 ls",
    '/tmp/fp/d/x x /tmp/fp/d d/x\n/tmp/fp/d/x\n',
  ],
  [
    'find of a place that is not there',
    'find /nope /tmp/none -type f 2>&1 || echo $?',
    "find: '/nope': No such file or directory\nfind: '/tmp/none': No such file or directory\n1\n",
  ],
  [
    'return 300',
    'f() { return $1; }; f 300; echo $?; f -1; echo $?; g() { return 256; }; g; echo $?; h() { return $((n + 1)); }; n=511; h; echo $?',
    '44\n255\n0\n0\n',
  ],
  ['return outside a function', 'return 3 2>/dev/null; echo $?; true', '2\n'],
  ['f() ( … ) without a group', 'f() ( return 3 ); f || echo $?', '3\n'],
  [
    '[ -d link ]',
    'mkdir /tmp/ld; ln -s ld /tmp/ll; [ -d /tmp/ll ] && test -d /tmp/ll && [[ -d /tmp/ll && -L /tmp/ll ]] && echo yes',
    'yes\n',
  ],
  ['set -e and [[ || ]]', 'set -e; [[ a == b || a == a ]] && echo on; set +e', 'on\n'],
  ['wait $!', '(exit 3) & wait $!; echo $?', '3\n'],
  ['sort | head', 'seq 3000 | sort | head -1', '1\n'],
]

describe('a construct that is translated', () => {
  it.each(TRANSLATED)('%s', async (_, command, prints) => {
    expect(await sandbox.execute(command)).toMatchObject({ exitCode: 0, stdout: prints })
  })
})

/** A construct that is refused, and a command with it. Nothing of the command has run. */
const REFUSED: readonly (readonly [construct: string, command: string])[] = [
  ['an array', 'a=(1 2)'],
  ['a hard link', 'ln a b'],
  ['a test of find', 'find . -user me 2>/dev/null | cat'],
  ['touch -d', 'touch -d yesterday f 2>/dev/null'],
  ['env -i that lists', '{ env -i printenv; } 2>/dev/null'],
  ['env -S', 'env -S "a b" 2>/dev/null | cat'],
  ['env -u of what is no name', "env -u 'a b' printenv"],
  ['trap without operands', "trap 'echo x' EXIT; trap"],
  ['trap -p', 'trap -p EXIT'],
  ['set -e before ||', '(set -e; false; echo a) || echo b'],
  ['set -e in $( ) before ||', 'x=$(set -e; false; echo a) || echo b'],
  ['set -e in a function before ||', 'f() { set -e; false; echo a; }; f || echo b'],
  ['set -e in a condition', 'if (set -e; false; echo a); then echo b; fi'],
  ['a shell whose script comes from a pipe in $( )', "x=$(echo 'echo a' | sh)"],
  ['a shell whose script is its input', 'sh < /dev/null'],
  ['export without operands', 'export | cat'],
  ['export -f', 'f() { :; }; export -f f'],
  ['readonly -p', 'readonly -p'],
  ['unset of a function', 'f() { :; }; unset f'],
  ['[ without ]', '[ a'],
  ['$? behind $( ) in arithmetic', 'echo $(false) $(($? + 1))'],
  ['$? behind $( ) in for', 'for x in $(false) $?; do echo $x; done'],
  ['rm -i', 'rm -i f 2>/dev/null | cat'],
  ['ls -i', 'ls -i'],
  ['options of what find and xargs run', 'find . -exec rm -i {} + 2>/dev/null'],
  ['bash -c with expansions', 'bash -c "echo $HOME"'],
  ['bash -n', 'bash -n /tmp/s'],
  ['a script with expansions', 'bash <<E\necho $HOME\nE'],
  ['timeout of $( )', 'timeout 5 echo $(pwd)'],
  ['timeout of a function', 'f() { sleep 1; }; timeout 5 f'],
  ['timeout of what is no duration', 'timeout x ls'],
  ['timeout -v', 'timeout -v 5 ls'],
  ['find -printf of an owner', "find /tmp -printf '%u\\n'"],
  ['an element of an array', 'echo "${a[1]}"'],
  ['declare -A', 'declare -A m'],
  ['mapfile', 'mapfile -t x < /tmp/f'],
  ['process substitution', 'cat <(echo x)'],
  ['coproc', 'coproc cat'],
  ['select', 'select x in a b; do break; done'],
  ['an extended pattern', 'ls !(a)'],
  [';& in case', 'case a in a) echo x ;& b) echo y ;; esac'],
  ['${!x}', 'echo ${!x}'],
  ['${@:2}', 'echo "${@:2}"'],
  ['$RANDOM', 'echo $RANDOM'],
  ['ls -t', 'ls -t'],
  ['shopt', 'shopt -s nullglob'],
  ['let of quotes in quotes', 'let \'x="1"\''],
  ['printf -v of an element', "printf -v 'a[1]' x"],
  ['declare -i', 'declare -i x=1'],
  ['an assignment in a here-document', 'cat <<E\n$((n++))\nE'],
  ['exec > file', 'exec > /tmp/o'],
  ['exec 2> file', 'exec 2>/dev/null'],
  ['wait of one of several jobs', 'false & p=$!; true & wait $p'],
  ['wait of a job in a loop', 'for i in 1 2; do true & wait $!; done'],
  ['a pattern as a target', 'cat < *.c'],
  ['[:space:] alone', 'case a in [:space:]) echo p ;; esac'],
  ['[[:punct:]] in a pattern of case', 'case a in [[:punct:]]) echo p ;; esac'],
  ['trap of ERR', "trap 'echo x' ERR"],
  ['set -f', 'set -f'],
  ['set -C among others', 'set -euC'],
  ['type -p', 'type -p ls'],
  ['command -v into a file', 'command -v ls > /tmp/o'],
]

describe('a construct that is refused', () => {
  it('says what echo prints on standard error, whatever its words are', async () => {
    const { stderr } = await sandbox.execute('x="a  b"; echo $x *.none >&2; echo "$x" >&2')
    expect(stderr).toBe('a b *.none\na  b\n')
  })

  it('says nothing of an input that is not there', async () => {
    expect(await sandbox.execute('read x || echo $?')).toMatchObject({ stdout: '1\n', stderr: '' })
  })

  it('makes messages of what functions and compound commands print', async () => {
    const command = 'use() { echo u; n=5; }; use >&2; { echo a; } >&2; echo b > /dev/stderr; echo $n'
    expect(await sandbox.execute(command)).toMatchObject({ stdout: '5\n', stderr: 'u\na\nb\n' })
  })

  it.each([
    ['an option in a pipeline', 'echo a | cut -b1 | cat', "strands-shell: cut: invalid option '-b'\n"],
  ])('%s ends with status 2', async (_, command, message) => {
    expect(await sandbox.execute(command)).toMatchObject({ exitCode: 2, stdout: '', stderr: message })
  })

  it('what is no UTF-8 in a search of the current directory ends with status 2', async () => {
    await sandbox.writeFile('/tmp/b/x', new Uint8Array([97, 255, 10]))
    expect(await sandbox.execute('cd /tmp/b; grep -rn a . | cat')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'strands-shell: grep: stream did not contain valid UTF-8\n',
    })
  })

  it.each(REFUSED)('%s', async (_, command) => {
    const { exitCode, stdout, stderr } = await sandbox.execute(`touch /tmp/ran; ${command}`)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^strands-shell: .+ is not available here: .*use .*\n$/)
    expect((await sandbox.execute('[ -e /tmp/ran ]')).exitCode).toBe(1)
  })
})

describe('a number or a test that the engine would get wrong', () => {
  it.each([
    ["x=042; [[ $x -eq 34 && 'x+1' -eq 35 && '' -eq 0 ]] && echo yes", 'yes\n'],
    ["for x in 'a b' 1.5 08 a/b; do [[ $x -lt 5 ]]; echo $?; done", '1\n1\n1\n1\n'],
    ['for x in abc \'\' 1.5 7 -7 +7; do [ "$x" -gt 6 ]; echo $?; done', '2\n2\n2\n0\n1\n0\n'],
    ['y=-9223372036854775807; [[ "(y-1)/-1" -lt 0 ]] && echo yes', 'yes\n'],
    [
      'echo $((99999999999999999999)) $((-9223372036854775808 - 1))',
      '7766279631452241919 9223372036854775807\n',
    ],
  ])('%s', async (command, prints) => {
    expect(await sandbox.execute(command)).toMatchObject({ exitCode: 0, stdout: prints })
  })

  it.each(['x=$(test 7 = #)', 'echo a; [[ a', 'expr 9223372036854775807 + 1'])(
    '%s ends with status 2 and a line, and the session lives',
    async (command) => {
      await sandbox.execute('y=1')
      const { exitCode, stderr, stdout } = await sandbox.execute(command)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toMatch(/^strands-shell: .*(?:is not available here|syntax error).*\n$/)
      expect((await sandbox.execute('echo $y')).stdout).toBe('1\n')
    },
  )
})

it('knows the status of the command before', async () => {
  await sandbox.execute('(exit 42)')
  expect((await sandbox.execute('x="$? $?"; echo $x b | { cat; }')).stdout).toBe('42 42 b\n')
  await sandbox.execute('(exit 42)')
  expect((await sandbox.execute('[[ $? == 42 ]] && echo yes')).stdout).toBe('yes\n')
})

describe('a division by zero', () => {
  it.each(['echo $((1 / 0))', 'x=0; echo $((7 % x))', 'f() { echo $((1 / $1)); echo on; }; f 0; echo on'])(
    '%s ends the command with a line, and the session lives',
    async (command) => {
      expect(await sandbox.execute(`y=1; ${command}`)).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: 'strands-shell: division by 0\n',
      })
      expect((await sandbox.execute('echo $y')).stdout).toBe('1\n')
    },
  )

  it.each([
    ['echo "$(echo a; echo $((1 / 0)); echo b)"; echo on', 0, 'a\non\n'],
    ['n=0; { echo a; echo $((1 / n)); echo b; } | cat; echo on', 0, 'a\non\n'],
    ['n=0; { echo a; echo $((1 / n)); } > /tmp/quotient; echo on', 2, ''],
  ] as const)('%s ends what it stands in', async (command, exitCode, stdout) => {
    const stderr = 'strands-shell: division by 0\n'
    expect(await sandbox.execute(command)).toMatchObject({ exitCode, stdout, stderr })
  })

  it('a quotient that has no 64 bits is what bash has', async () => {
    expect((await sandbox.execute('x=-1; echo $(( (-9223372036854775807 - 1) / x ))')).stdout).toBe(
      '-9223372036854775808\n',
    )
  })
})

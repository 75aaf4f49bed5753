import { expect, test } from 'vitest'
import { openShell, run } from './open-shell.ts'

/** What a first command leaves behind, and what the second then prints. */
const KEPT: readonly (readonly [title: string, first: string, second: string, printed: string])[] = [
  ['variables', 'x="a  b"', 'echo "$x"', 'a  b\n'],
  ['indexed arrays', 'a=(1 "b c" 3); unset "a[0]"', 'echo "${!a[@]}" "${a[@]}"', '1 2 b c 3\n'],
  ['associative arrays', 'declare -A m=([k]="v w")', 'echo "${m[k]}"', 'v w\n'],
  [
    'the order of keys',
    'declare -A m=([ace]=1 [bba]=2 [z]=3)',
    'echo "${!m[@]}"; m[z]=4; echo "${!m[@]}"',
    'bba ace z\nbba ace z\n',
  ],
  ['integer attributes', 'declare -i n=1', 'n+=2; echo $n', '3\n'],
  ['readonly variables', 'readonly r=1', 'r=2 2>/dev/null; echo $r', ''],
  ['functions', 'f() { echo "f $1"; }', 'f x', 'f x\n'],
  ['functions of eval', 'eval "g() { echo g; }"', 'g', 'g\n'],
  ['functions of sourced files', 'echo "h() { echo h; }" > lib; . ./lib', 'h', 'h\n'],
  [
    'functions after exec > file',
    'f() { echo f; }; exec > out; g() { echo g; }; echo hi',
    'f; g; cat out',
    'f\ng\nhi\n',
  ],
  ['that a function was removed', 'f() { :; }; unset -f f', 'type f >/dev/null 2>&1 || echo none', 'none\n'],
  ['aliases', "shopt -s expand_aliases; alias hi='echo hello'", 'hi', 'hello\n'],
  ['set options', 'set -u', 'echo ${none-unset}; [[ -o nounset ]] && echo on', 'unset\non\n'],
  ['shopt options', 'shopt -s nullglob', 'echo *.none', '\n'],
  ['the directory', 'mkdir d; cd d', 'pwd; cd -', '/home/user/d\n/home/user\n'],
  ['positional parameters', 'set -- a "b c"', 'echo $# "$2"', '2 b c\n'],
  ['the status', '(exit 3)', 'echo $?', '3\n'],
  ['what was set before exit', 'x=1; a=(1 2); exit 4', 'echo $x ${a[1]} $?', '1 2 4\n'],
  ['what was set before set -e ended it', 'a=(1 2); set -e; false', 'set +e; echo ${a[1]}', '2\n'],
]

for (const [title, first, second, printed] of KEPT)
  test(`keeps ${title}`, async () => {
    const shell = await openShell()
    await run(shell, first)
    const [, stdout] = await run(shell, second)
    expect(stdout).toBe(printed)
  })

test('keeps nothing of a subshell, a pipeline or a scoped call but files', async () => {
  const shell = await openShell()
  await run(shell, '(x=1; f() { :; }); echo y | read y; mkdir /d')
  const scoped = await shell.run({
    command: 'echo $PWD $E; E=2; cd /; a=(1); f() { :; }; echo kept > /d/file; exit 5',
    scope: { cwd: '/d', env: [['E', '1']] },
  })
  expect(scoped).toMatchObject({ ok: true, value: { exitCode: 5, stdout: '/d 1\n', stderr: '' } })
  const [, stdout] = await run(shell, 'echo "$PWD-$x-$y-$E-${a[0]}"; type f 2>/dev/null; cat /d/file')
  expect(stdout).toBe('/home/user----\nkept\n')
})

test('runs the exit trap at the end of the command, with what the command left', async () => {
  const shell = await openShell()
  const result = await run(shell, `trap 'echo "bye $x $?"' EXIT; x=1; exit 3`)
  expect(result).toEqual([3, 'bye 1 3\n', ''])
  expect(await run(shell, 'echo $x')).toEqual([0, '1\n', ''])
})

test('warns of no listeners where many shells are inside each other', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  const shell = await openShell()
  const nested = "printf '[ $1 -gt 0 ] && bash d $(($1 - 1)); echo $1' > d; bash d 20 | wc -l"
  expect(await run(shell, nested)).toEqual([0, '21\n', ''])
  await new Promise(setImmediate)
  process.off('warning', listen)
  expect(warnings).toEqual([])
})

test('runs scripts in shells of their own', async () => {
  const shell = await openShell()
  await run(
    shell,
    'printf \'#!/bin/bash\\necho "$0 $# ${10} $hidden-$shown"; readonly r=1; exit 7\\n\' > s; chmod +x s',
  )
  const text = 'hidden=1; export shown=2; ./s 1 2 3 4 5 6 7 8 9 "a b"; echo $?; r=2; echo $r'
  expect(await run(shell, text)).toEqual([0, './s 10 a b -2\n7\n2\n', ''])
})

test('keeps the state when a command does not parse', async () => {
  const shell = await openShell()
  await run(shell, 'x=1')
  const [exitCode, stdout] = await run(shell, 'if then fi')
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(await run(shell, 'echo $x')).toEqual([0, '1\n', ''])
})

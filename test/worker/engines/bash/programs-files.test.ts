import { expect, test } from 'vitest'
import { freshLimits, openShell, run } from './open-shell.ts'

/** A command and the whole of its output, as GNU programs give it. */
const COMMANDS: readonly (readonly [command: string, stdout: string, exitCode?: number])[] = [
  [
    'echo a > x; mkdir d; cp -v x y; cp -v x d; cp -rv d e',
    "'x' -> 'y'\n'x' -> 'd/x'\n'd' -> 'e'\n'd/x' -> 'e/x'\n",
  ],
  ['echo a > x; cp -a x y; mkdir t; cp -t t x y; ls t; cp -T x q; cp -u x y; cat q', 'x\ny\na\n'],
  [
    'mkdir -p a/b o; echo 1 > a/b/f; cp --parents a/b/f o; cat o/a/b/f; ln -s f a/b/l; cp -P a/b/l o/l; readlink o/l; cp -L a/b/l o/n; cat o/n',
    '1\nf\n1\n',
  ],
  [
    'touch -d @5 x; chmod 750 x; cp -p x y; stat -c "%a %Y" y; cp -r none z; echo $?; mkdir d; cp d e; echo $?',
    '750 5\n1\n1\n',
  ],
  [
    'echo 1 > a; echo 2 > b; chmod 600 b; cp a b; stat -c %a b; cp -n x a; echo $?; cp a a; echo $?',
    '600\n1\n1\n',
  ],
  [
    'mkdir -p a/c; echo 1 > a/c/f; mkdir b; cp -r a/. b; cat b/c/f; cp -r a a/z; echo $?; cp -Z a b; echo $?',
    '1\n1\n1\n',
  ],
  [
    "printf 'a 1\\nb 1\\nc 2\\n' | uniq -f1; printf 'xa\\nya\\n' | uniq -s1; printf 'abc\\nabd\\n' | uniq -w2",
    'a 1\nc 2\nxa\nabc\n',
  ],
  [
    "printf 'A\\na\\n' | uniq -i; printf 'a\\na\\nb\\n' | uniq -d; printf 'a\\na\\nb\\n' | uniq -u; printf 'a\\na\\nb\\n' | uniq -c; printf 'a\\na\\nb\\n' | uniq -D",
    'A\na\nb\n      2 a\n      1 b\na\na\n',
  ],
  [
    "jq -nc '[1,2] | to_entries'; jq -nc '{\"a\":1} | to_entries'",
    '[{"key":0,"value":1},{"key":1,"value":2}]\n[{"key":"a","value":1}]\n',
  ],
  ['echo a > f; chmod 755 f; sed -i s/a/b/ f; stat -c %a f; cat f', '755\nb\n'],
]

for (const [command, stdout, exitCode = 0] of COMMANDS)
  test(`gives what GNU programs give: ${command}`, async () => {
    const result = await run(await openShell({ cwd: '/work', env: [['TZ', 'UTC']] }), command)
    expect(result.slice(0, 2)).toEqual([exitCode, stdout])
  })

// Bounds of lines and arrays follow from the memory: growing to those of 256 MiB takes seconds.
for (const [command, status] of [
  ["awk 'BEGIN { for (;;) a[i++] = i }'", 2],
  ["echo a | sed ':a;s/a/aaaaaaaaaaaaaaaa/g;ta' > out", 1],
] as const)
  test(`ends a program that grows without end: ${command}`, async () => {
    const shell = await openShell({ limits: { ...freshLimits, maxMemory: 16 * 2 ** 20 } })
    expect(await run(shell, command)).toEqual([status, '', expect.stringMatching(/limit|more than/)])
  })

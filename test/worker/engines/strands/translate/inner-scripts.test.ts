// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { bash, inBash } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

/** Scripts that are there before the command begins. */
const SCRIPTS = [
  `printf '#!/bin/bash\\n[[ $1 == a ]] && echo "yes $1 $0 \${2-none}"; exit 3\\n' > s.sh`,
  `printf '#!/usr/bin/env bash\\n./s.sh a; echo "in m $?"; bash s.sh a x | cat\\nx=$(./s.sh a)\\necho "<$x> $#"\\n' > m.sh`,
  `printf '#!/bin/bash\\nbash -c "./m.sh p q" || exit 4\\nwhile read -r l; do ./s.sh "$l" || echo "$l"; done\\n' > o.sh`,
  "printf 'a\\nb\\n' > in; mkdir d; chmod +x m.sh s.sh o.sh",
].join('; ')

const SAME = [
  "bash -c './s.sh a'; echo $?",
  "bash -c '/bin/true; ./s.sh b; echo $?; bash ./s.sh a 2>/dev/null | tail -n 1'",
  'sh ./m.sh x; ./m.sh; echo $?',
  "bash -lc 'for i in a b; do ./s.sh $i || echo no; done'",
  "if bash -c './s.sh a'; then echo y; else echo n; fi; x=$(bash -c './m.sh 1'); echo \"$x\"",
  'f() { ./m.sh "$@"; }; f 1 2; f | wc -l; ./o.sh < in; echo $?',
  "trap 'echo bye' EXIT; ./m.sh; bash s.sh a",
  './m.sh > out & wait; cat out; bash s.sh a',
  "bash -c './nope.sh' 2>/dev/null; echo $?; bash -c 'bash nope.sh; echo $?' 2>/dev/null; bash -c './in' 2>/dev/null; echo $?; bash -c './d' 2>/dev/null; echo $?",
  'bash -c \'bash -c "./m.sh z"; cat in | ./o.sh; echo end\'',
  "bash -ec './s.sh b; echo no'; echo $?; bash -c './s.sh a && echo no || ./s.sh b' ; echo $?",
]

it.each(SAME)('a script inside another one prints and answers what it does in bash: %s', async (command) => {
  await using sandbox = await host.open()
  expect((await sandbox.execute(`mkdir /tmp/w; cd /tmp/w; ${SCRIPTS}`)).stderr).toBe('')
  const { exitCode, stdout } = await sandbox.execute(command)
  expect({ exitCode, stdout }).toEqual(inBash(`${SCRIPTS}; ${command}`))
})

const LINE =
  'a script that was written by what runs it or that runs itself, is not available here: run it by a command of its own, or use a BashSandbox\n'

/** What they write is there when they run it, and was not when they were read. */
const REFUSED: readonly (readonly [command: string, path: string, stdout: string])[] = [
  ["bash -c 'echo echo new > n.sh; bash n.sh'", 'n.sh', ''],
  ["bash -c 'echo echo new > s.sh; ./s.sh'", './s.sh', ''],
  ["bash -c 'cd d; ../s.sh a'", '../s.sh', ''],
  ["trap 'echo bye' EXIT; echo echo new > n.sh; bash n.sh", 'n.sh', 'bye\n'],
  ['wait; cp s.sh t.sh; ./t.sh a', './t.sh', ''],
  [
    'printf \'#!/bin/sh\\necho $1\\n[ "$1" = 3 ] || ./r.sh 3\\n\' > r.sh; chmod +x r.sh; ./r.sh 1',
    './r.sh',
    '1\n',
  ],
]

it.each(REFUSED)('%s is refused when its turn comes', async (command, path, printed) => {
  await using sandbox = await host.open()
  await sandbox.execute(`mkdir /tmp/w; cd /tmp/w; ${SCRIPTS}`)
  const { exitCode, stdout, stderr } = await sandbox.execute(command)
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 2,
    stdout: printed,
    stderr: `strands-shell: ${path}, ${LINE}`,
  })
})

it('a script runs where the directory of a call or an input is another one', async () => {
  await using sandbox = await host.open()
  await sandbox.execute(`mkdir /tmp/w; (cd /tmp/w; ${SCRIPTS})`)
  const expected = bash(`${SCRIPTS}; ./m.sh; ../\${PWD##*/}/s.sh b; cat in | ./o.sh`).stdout
  const { stdout } = await sandbox.execute('./m.sh; ../w/s.sh b; cat in | ./o.sh', { cwd: '/tmp/w' })
  expect(stdout).toBe(expected)
  const fed = await sandbox.execute('cd /tmp/w; /tmp/w/s.sh a; cat', { stdin: 'text\n' })
  expect(fed.stdout).toBe('yes a /tmp/w/s.sh none\ntext\n')
})

it('a script that is refused is refused before what runs it begins', async () => {
  await using sandbox = await host.open()
  await sandbox.execute(
    "cd /tmp; printf 'echo in; x=(a b)\\n' > a.sh; printf 'echo out; bash a.sh\\n' > b.sh",
  )
  const { exitCode, stdout, stderr } = await sandbox.execute('bash b.sh')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/^strands-shell: a\.sh: an array .* is not available here/)
})

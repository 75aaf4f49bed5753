// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ShellHost, type StrandsShellSandbox } from '../../../../../src/index.ts'

const host = new ShellHost({ isolation: 'worker' })
let sandbox: StrandsShellSandbox
beforeAll(async () => {
  sandbox = await host.open()
  await sandbox.execute("printf 'a\\nb\\n' > /tmp/ab")
})
afterAll(() => host.close())

const missing = (name: string) => `ls: cannot access '${name}': No such file or directory\n`

describe('set -o pipefail', () => {
  it.each([
    ['false | true; echo $?; set -o pipefail; false | true; echo $?', '0\n1\n'],
    ['set -o pipefail; (exit 3) | (exit 4) | true; echo $?', '4\n'],
    ['set -euo pipefail; false | true || echo "handled $?"', 'handled 1\n'],
    ['set -euo pipefail; if ls /nope 2>/dev/null | cat; then echo yes; else echo "no $?"; fi', 'no 2\n'],
    ['set -euo pipefail; ! ls /nope 2>/dev/null | cat; echo on', 'on\n'],
    ['set -o pipefail; x=$(ls /nope 2>/dev/null | cat) || echo "x $?"', 'x 2\n'],
    ['set -o pipefail; f() { false | true; }; f; echo $?; g() { return 3; }; g | cat; echo $?', '1\n3\n'],
    ['set -o pipefail; set +o pipefail; false | true; echo $?', '0\n'],
    ['(set -o pipefail; false | true; echo $?); false | true; echo $?', '1\n0\n'],
    ['set -o pipefail; false; echo "was $?" | cat', 'was 1\n'],
    ['set -o pipefail; seq 3000 | sort | head -1; echo $?', '1\n0\n'],
    ['set -o pipefail; seq 3 | while read -r x; do [ $x = 2 ] && exit 5; done; echo $?', '5\n'],
    ['set -eo pipefail; echo "$-"; set +e', 'e\n'],
    ['set -Eeuo pipefail -- a b; echo "$- $#"', 'eu 2\n'],
    ['set -o errexit -o nounset; echo "$-"', 'eu\n'],
    [
      "printf 'set -o pipefail\\nfalse | true; echo $?\\n' > /tmp/s; bash /tmp/s; false | true; echo $?",
      '1\n0\n',
    ],
    ["printf 'set -o pipefail' > /tmp/s; . /tmp/s; false | true; echo $?", '1\n'],
  ])('%s', async (command, stdout) => {
    await using session = await host.open()
    expect(await session.execute(command)).toMatchObject({ exitCode: 0, stdout })
  })

  it('ends a command with set -e, and lasts until it is taken back', async () => {
    await using session = await host.open()
    expect(await session.execute('set -euo pipefail; false | cat; echo no')).toMatchObject({
      exitCode: 1,
      stdout: '',
    })
    expect((await session.execute('set +eu; false | cat; echo $?')).stdout).toBe('1\n')
    expect((await session.execute('set +o pipefail; false | cat; echo $?')).stdout).toBe('0\n')
  })

  it('is refused where functions of earlier commands have pipelines', async () => {
    await using session = await host.open()
    await session.execute('f() { false | true; }; g() { :; }')
    const { exitCode, stderr } = await session.execute('set -o pipefail')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'strands-shell: set -o pipefail after the definition of f is not available here: define functions with pipelines after it, or use a BashSandbox\n',
    })
    expect((await session.execute('f() { false | true; }; set -o pipefail; f; echo $?')).stdout).toBe('1\n')
  })

  it.each(['set -o', 'set -o vi', 'set -o pipefail; time true | false'])('%s is refused', async (command) => {
    await using session = await host.open()
    expect((await session.execute(command)).exitCode).toBe(2)
  })
})

/** A command, what it prints, and its messages. */
const RUNS: readonly (readonly [title: string, command: string, stdout: string, stderr?: string])[] = [
  ['messages of a function', 'f() { ls /no; echo o; }; f | cat', 'o\n', missing('/no')],
  ['messages of a loop', 'for i in 1 2; do ls /no$i; done | cat', '', missing('/no1') + missing('/no2')],
  ['messages at the end', 'echo x | { cat; ls /no; }; echo $?', 'x\n2\n', missing('/no')],
  ['messages in $( )', 'x=$(echo a | while read -r y; do ls /no; done); echo "$x"', '\n', missing('/no')],
  ['2>&1 of a group', '{ ls /no; } 2>&1 | cat', missing('/no')],
  ['a program in while read', 'while read -r x; do wc -l < /tmp/ab; echo $x; done < /tmp/ab', '2\na\n2\nb\n'],
  [
    'a pipeline in while read',
    'cat /tmp/ab | while read -r x; do ls /tmp/ab | cat; done',
    '/tmp/ab\n/tmp/ab\n',
  ],
  ['a function in while read', 'f() { grep -c a /tmp/ab; }; while read -r x; do f; done < /tmp/ab', '1\n1\n'],
  ['what reads in a group', '{ read -r x; ls /tmp/ab; cat; } < /tmp/ab', '/tmp/ab\nb\n'],
  ['( ) after a pipe', 'echo x | (cat; exit 3); echo $?', 'x\n3\n'],
  ['( ) with input', '( read -r x; cat ) < /tmp/ab', 'b\n'],
  ['( ) with output', '( echo o; ls /no; exit 4 ) > /tmp/o; echo $?; cat /tmp/o', '4\no\n', missing('/no')],
  ['a pipeline in a function', 'f() { while read -r x; do echo $x; done | sort -r; }; f < /tmp/ab', 'b\na\n'],
  ['the status of a group', 'if { true; false; } > /tmp/o; then echo yes; else echo no; fi', 'no\n'],
  ['$? in a group', '{ false; echo $?; } > /tmp/o; cat /tmp/o', '1\n'],
  ['break in a loop', 'for i in 1 2; do echo $i; break; done > /tmp/o; echo $i; cat /tmp/o', '1\n1\n'],
  ['variables of a loop', 'n=0; for i in 1 2; do n=$((n + i)); done > /tmp/o; echo $n', '3\n'],
  [
    'a function',
    'f() { echo f; x=5; return 3; }; echo 1; f >> /tmp/of; echo $? $x; cat /tmp/of',
    '1\n3 5\nf\n',
  ],
  ['what was printed before', 'f() { echo f; }; echo 1; { f; } > /tmp/o; echo 2; cat /tmp/o', '1\n2\nf\n'],
  [
    'a file that is read at once',
    'seq 5000 > /tmp/s5; sort /tmp/s5 > /tmp/o; wc -l < /tmp/o; seq 5000 | grep 1 > /tmp/o; wc -l < /tmp/o',
    '5000\n2084\n',
  ],
  [
    'the status of a program with a file',
    'grep zz /tmp/ab > /tmp/o || echo $?; sort /tmp/ab > /tmp/o && cat /tmp/o',
    '1\na\nb\n',
  ],
  [
    'a program with a file that fails',
    'sed s/a/x/ /tmp/ab /nope > /tmp/o || echo $?; cat /tmp/o',
    '2\nx\nb\n',
    "sed: can't read /nope: No such file or directory\n",
  ],
  [
    'a place that is not there',
    '{ echo a; } > /nope/o || echo $?',
    '1\n',
    'strands-shell: /nope/o: no such file or directory: /nope\n',
  ],
  [
    'background jobs',
    'for i in 1 2; do { echo $i | { cat; sleep 0.01; }; } > /tmp/j$i & done; wait; cat /tmp/j1 /tmp/j2',
    '1\n2\n',
  ],
  [
    'a function that calls itself',
    'r() { echo $1; [ $1 = 0 ] || r $(($1 - 1)) | { cat; }; }; r 2',
    '2\n1\n0\n',
  ],
  ['an exit of a function', 'f() { exit 3; }; { f; echo no; } | cat; echo $?', '0\n'],
  [
    '$( ) that reads',
    'echo a | { x=$(cat); echo "[$x]"; }; f() { if [ -z "$(sort)" ]; then echo none; fi; }; f < /dev/null',
    '[a]\nnone\n',
  ],
  ['$( ) that reads in ( )', 'echo b | (x=$(cat); [[ $x == b ]] && echo "$x")', 'b\n'],
  [
    '$( ) that reads in a loop',
    'while read -r x; do y=$(tr a-z A-Z); echo "$x$y"; break; done < /tmp/ab',
    'aB\n',
  ],
  [
    '$( ) that reads in a script',
    'echo \'x=$(cat); echo "<$x>"\' > /tmp/sr; echo in | bash /tmp/sr',
    '<in>\n',
  ],
]

describe('commands that run in steps', () => {
  it.each(RUNS)('%s', async (...[, command = '', stdout, messages]) => {
    const { stdout: printed, stderr } = await sandbox.execute(command)
    expect({ printed, stderr }).toEqual({ printed: stdout, stderr: messages ?? '' })
  })

  it('have the status of a program whose input is not there', async () => {
    const { exitCode } = await sandbox.execute('tail -n 1 < /nope > /tmp/o')
    expect(exitCode).toBe(1)
  })

  it('know the functions of earlier commands', async () => {
    await sandbox.execute('say() { echo "said $1"; count=$((count + 1)); ls /no; }; count=0')
    const { stdout, stderr } = await sandbox.execute('say a > /tmp/o; say b | cat; cat /tmp/o; echo $count')
    expect({ stdout, stderr }).toEqual({
      stdout: 'said b\nsaid a\n1\n',
      stderr: missing('/no') + missing('/no'),
    })
  })

  it('read the input of the call', async () => {
    const command = 'while read -r x; do ls /tmp/ab; echo "$x"; done | { cat; }'
    expect((await sandbox.execute(command, { stdin: '1\n2\n' })).stdout).toBe('/tmp/ab\n1\n/tmp/ab\n2\n')
  })

  it.each([
    '{ cd /; } > /tmp/o',
    'f() { for i in 1; do return 3; done > /tmp/o; }; f',
    '{ ls; } |& cat',
    'echo a | { x=$(head -n 1); echo $x; }',
  ])('%s is refused', async (command) => {
    expect(await sandbox.execute(command)).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('files that pipelines and here-documents need', () => {
  const left = async (one: StrandsShellSandbox) =>
    (await one.listFiles('/dev/.run')).filter(({ isDir }) => !isDir)

  it('are removed when their command has ended', async () => {
    const fresh = await host.open()
    for (let turn = 0; turn < 5; turn++) {
      const command = `{ echo ${turn}; } | cat; for i in 1; do cat << E\n${turn}\nE\ndone; echo 'echo ${turn}' > /tmp/s; sh /tmp/s`
      expect((await fresh.execute(command)).stdout).toBe(`${turn}\n`.repeat(3))
    }
    expect(await left(fresh)).toEqual([])
  })

  it('stay while functions of the session read them', async () => {
    const fresh = await host.open()
    await fresh.execute("f() { for i in 1; do cat << 'E'\nkept\nE\ndone; }")
    await fresh.execute('{ echo a; } | cat')
    expect(await left(fresh)).toHaveLength(1)
    expect((await fresh.execute('f | cat')).stdout).toBe('kept\n')
  })
})

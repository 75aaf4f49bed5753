// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { unlikeBash, withFiles } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

/** Files that are missing or directories. */
const MISSING = [
  'f() { echo f; echo x >> log; }; cat $(f) g; sort $(f) g; sed p $(f) g; cat log',
  'grep a f nope',
  'grep a nope f',
  'grep -n a f nope',
  'grep -c a f nope',
  'grep -l a f nope',
  'grep -q a f nope',
  'grep -q zz f nope',
  'grep -s a f nope',
  'grep zz f nope',
  'grep a nope',
  'grep a f nope > o; echo $?; cat o',
  'grep a f nope 2>/dev/null',
  "grep -E 'a|b' f nope",
  'grep a f nope | cat',
  'if grep a f nope; then echo y; else echo n; fi',
  'grep -r a d nope',
  'grep -r a nope',
  'grep -ra nope d',
  'grep -h a f nope',
  'x=nope; grep a f $x',
  'grep a f nope g',
  'grep a nope nope2',
  'grep a d',
  'grep a f d',
  'egrep a f nope',
  'ls | xargs grep a nope',
  'f=f; grep a "$f" nope',
  'grep a f < nope',
  'grep -v a f nope',
  'grep -o a f nope',
  'grep a *.c f',
  'grep a \'f\' "nope"',
  'for x in f nope; do grep a $x; done',
  'grep x1 *; echo $?',
  'grep x1 d g; echo $?',
  'grep -l a nope d f; echo $?',
  'cat nope f; echo $?',
  'cat d f; echo $?',
  'cat f g',
  'cat f nope | sort',
  'cat nope f > o; echo $?; cat o',
  'sed s/a/b/ nope; echo $?',
  'sed -n 1p f nope; echo $?',
  'sed -n 1p nope f; echo $?',
  'sed s/a/b/ nope f | cat',
  'sed -i s/a/b/ f nope; echo $?; cat f',
  'x=$(echo a; echo b;); echo "$x"; (echo c; echo d;) > o; cat o; y=$( (echo e;) ;); echo $y; echo f | (cat; echo g;) > o; cat o; z=$(echo h; exit 3;); echo "$? $z"',
  'sort nope > o 2> e; echo $?; wc -l < e; sort nope 2>> e > o; wc -l < e; sort f 2> e > o; cat o e',
  'ls nope > o 2> e; echo $?; wc -l < e; grep a nope 2> e > o; echo $?; wc -l < e; sed s/a/b/ nope >> o 2> e; wc -l < e',
  'sort nope; echo $?',
  'sort f nope g; echo $?',
  'sort nope | cat; echo $?',
  'wc -l nope f; echo $?',
  'tac nope f; echo $?',
  'nl nope f; echo $?',
  'rev nope f; echo $?',
  'uniq nope; echo $?',
  'paste nope f; echo $?',
  'comm nope f; echo $?',
  'head -n 1 nope f; echo $?',
  'set -e; grep a f nope; echo on',
  'set -e; if grep -q a f nope; then echo y; else echo n; fi',
  'set -o pipefail; grep a f nope | cat; echo $?',
  'f() { grep a "$1" "$2"; }; f f nope; echo $?',
  'f() { local x=f; grep a $x || return 5; }; f; echo $?',
  'grep a f nope && echo y || echo n',
  'x=$(grep a f nope); echo "[$x] $?"',
  'grep -r a d f; echo $?',
  'grep -r a . | sort',
  "grep -rn x1 --include='g*' .",
  'grep -c a f g nope',
  "x='f g'; grep -c 1 $x; echo $?",
  '{ grep a f nope; } 2>/dev/null; echo $?',
  'while read x; do grep -c 1 "$x"; done < list',
  'grep a f nope 2> e; echo $?; cat e',
  'grep a f nope > o 2>&1; sort o',
  'ls | while read x; do grep -l a "$x" 2>/dev/null; done',
  'grep -q a f; echo $?',
  "grep a '' f; echo $?",
  "cat '' f; echo $?",
  'cat f g > o; cat o',
  'cat "f" \'g\' | tac',
]

/** Inputs and outputs that cannot be opened. */
const UNOPENED = [
  'sort < nope | cat > o; echo $?',
  'sort < nope | wc -l',
  'sort < f | head -1',
  'tr a b < f | sort -r | head -1',
  'sort < nope | while read x; do echo $x; done; echo $?',
  'sort < f | while read x; do echo "<$x>"; done',
  'set -o pipefail; sort < nope | wc -l; echo $?',
  'set -o pipefail; sort < f | wc -l; echo $?',
  'wc -l < nope; echo $?',
  'wc -l < f',
  'wc -l < f | cat',
  'wc -l < nope | cat; echo $?',
  'nl < nope || echo failed',
  'set -e; wc -l < nope; echo on',
  'n=$(wc -l < f); echo $n',
  'n=$(wc -l < nope); echo "[$n]" $?',
  'cat < nope | wc -l',
  'while read x; do wc -l < $x; done < list',
  'grep a < f | sort',
  '2>/dev/null sort < nope | cat',
  'sort < nope 2>/dev/null | cat',
  'sort 2>/dev/null < nope | wc -l',
  'head -1 < d | cat',
  'x=\'f\'; sort < "$x" | head -1',
  "x='f'; sort < $x | head -1",
  'sort <<E | head -1\nb\na\nE',
  'sort <<E > o; cat o\nb\na\nE',
  "x=b; sed s/a/c/ - <<E >> o\na$x\nE\ngrep -n b <<-'E' > p\n\tab\n\tE\ncat o p; cat - <<E > o\n$x\nE\ncat o",
  'sort <<< "b" | cat',
  'grep a < f > o | cat; cat o',
  'f() { sort < nope | wc -l; }; f',
  'sort < f |& cat',
  'sort < nope |& cat | wc -l',
  '! sort < nope | cat; echo $?',
  'sort < f | tee o | wc -l; cat o',
  'cat < nope > o',
  'cat < nope > o; echo $?; ls o',
  'sort < nope > o; echo $?; ls o',
  'echo a > o < nope; echo $?; ls o',
  'sort > o < nope; echo $?; ls o',
  'grep a < nope > o; echo $?',
  'wc -l < nope > o; echo $?',
  'wc -l < nope',
  'head -1 < nope > o; echo $?',
  'tr a b < nope > o; echo $?',
  'tr a b < nope >> o; echo $?',
  'sed s/a/b/ < nope > o',
  'cut -c1 < nope > o',
  'uniq < nope > o',
  'nl < nope > o',
  'while read x; do echo $x; done < nope > o; echo $?',
  '{ cat; } < nope > o; echo $?',
  'f() { cat; }; f < nope > o; echo $?',
  'sort < nope > o || echo failed',
  'jq . < nope > o; echo $?',
  'find . < nope > o; echo $?',
  'ls < nope > o; echo $?',
  'sort < nope > o 2>/dev/null; echo $?',
  'sort < nope &> o; echo $?; cat o | wc -l',
  'cat < nope 2>&1 > o',
  'sort < nope > d',
  'sort < f > nope/x; echo $?',
  'sort f < nope > o; echo $?',
]

/** Files that commands open in the directory where they begin, and go on with in another. */
const BEHIND_CD = [
  '(cd d; ls) > o; cat o; ls d; (cd d; ls; cat h) >> o; cat o',
  '(cd d; ls nope; ls nope2) 2>> e; wc -l < e; ls d; (cd d; ls nope h) > o 2> e; cat o; wc -l < e',
  '{ cd d; ls nope; } 2> e; ls; wc -l < ../e; if cd ..; then ls nope; fi 2> e2; ls; wc -l < d/e2',
  'f() { (cd d; ls); }; f > o; ls; cat o; for x in d d; do (cd $x; ls; cat h); done > o; cat o',
  'x=e; { x=e2; ls nope; } 2> $x; ls; (cd d; cat) < f; { cd d; cat; cat h; } < f; ls',
  'while read -r x; do (cd d; cat "$x"; cat h) ; done < list 2> e; wc -l < e; find . -name e',
]

/** Commands that read where there is nothing to read. */
const WITHOUT_INPUT = [
  'sort',
  'head',
  'tr a b',
  'sed s/a/b/',
  'cat',
  'wc',
  'wc -l',
  'wc -c',
  'tail',
  'cat -',
  'cat -n',
  'sort -u',
  'sort -n',
  'uniq',
  'uniq -c',
  'grep a',
  'grep -c a',
  'egrep a',
  'cut -c1',
  'cut -d, -f1',
  'tee o; cat o',
  'nl',
  'tac',
  'rev',
  'paste -',
  'xargs',
  'xargs echo',
  'xargs echo a',
  'jq .',
  'head -1',
  'head -n 1',
  'tail -1',
  'sed -n 1p',
  "sed -n '$p'",
  'sort | head',
  'cat | wc -l',
  'x=$(cat); echo "[$x]"',
  'sort > o; cat o',
  'cat > o; cat o',
  'head -2 > o; echo $?',
  'wc -l > o; cat o',
  'sort f -',
  'cat f -',
  'while read x; do echo $x; done; echo $?',
  'read x; echo $?',
  'f() { cat; }; f',
  'f() { sort; }; f > o; echo $?',
  '{ cat; }',
  '( cat )',
  '( sort )',
  '{ sort; } > o; echo $?',
  'if cat; then echo y; fi',
  'cat && echo ok',
  'cat; echo $?',
  'tr -d a > o; echo $?',
  'tr a b | cat',
  'bash -c cat',
  "bash -c 'sort; echo $?'",
  "sh -c 'wc -l'",
  'timeout 5 cat',
  'cat 2>/dev/null',
  'cat 2>&1',
  'for i in 1 2; do cat; done; echo done',
  'cat &',
  'wait',
  'env cat',
  "printf 'cat\\n' > s; bash s; echo $?",
  "printf 'cat\\n' > s; sh ./s; echo $?",
  "printf 'cat\\n' > s; . ./s; echo $?",
  'cat | cat',
  '! cat',
  'case x in x) cat;; esac',
  'sort -r | uniq -c',
  'eval cat',
  'command cat',
  'f() { sort; }; f; echo $?',
  'f() { x=1; head -1; }; f; echo $x',
  'f() { exit 3; head -1; }; f; echo no',
  'for i in 1 2; do head -1; done; echo end',
  'if sort; then echo y; fi',
  'sort && echo y',
  '( head -1; echo in )',
  'x=$(sort); echo "[$x]$?"',
  'set -e; sort; echo on',
  'set -o pipefail; sort | wc -l; echo $?',
  'sort | while read x; do echo no; done; echo $?',
  'LC_ALL=C sort; echo $?',
  'command sort',
  'echo `sort`',
  'sort - ; echo $?',
  'grep -c x; echo $?',
  '! sort; echo $?',
  'sort & wait',
  '{ head -1; echo $?; } | cat',
  'while head -1; do echo once; break; done',
  'case a in a) tail -1;; esac; echo $?',
]

it.each([
  ['files that are missing', MISSING],
  ['redirections that cannot be opened', UNOPENED],
  ['files opened before a cd', BEHIND_CD],
  ['no standard input', WITHOUT_INPUT],
])('print and answer what they do in bash: commands with %s', async (_, commands) => {
  expect(await unlikeBash(host, commands)).toEqual([])
})

it.each([
  ['grep a f nope', 'grep: nope: No such file or directory\n'],
  ['grep a f d', 'grep: d: Is a directory\n'],
  ['sort < nope > o', 'strands-shell: nope: no such file or directory: /tmp/w/nope\n'],
  ['while read x; do :; done < nope > o', 'strands-shell: nope: no such file or directory: /tmp/w/nope\n'],
  ['wc -l < nope', 'strands-shell: nope: no such file or directory: /tmp/w/nope\n'],
  ['tac nope f', 'tac: nope: No such file or directory\n'],
])('%s says once what is wrong', async (command, stderr) => {
  expect((await withFiles(host, command)).stderr).toBe(stderr)
})

it.each(['seq -f %g 3 2>/dev/null | cat', 'seq -f %g 3 2>/dev/null || echo 1', 'seq -f %g 3 &> o; echo'])(
  'tells of an option that is refused where its message is thrown away: %s',
  async (command) => {
    const { exitCode, stderr } = await withFiles(host, command)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'seq: the option -f is not available here\n',
    })
  },
)

it('does not tell of it again', async () => {
  await using sandbox = await host.open()
  expect((await sandbox.execute('seq -f %g 3')).exitCode).toBe(2)
  expect(await sandbox.execute('seq 1 2>/dev/null')).toMatchObject({ exitCode: 0, stdout: '1\n', stderr: '' })
})

it('a file that is no UTF-8 is counted by its bytes and lines, and not read as an empty one', async () => {
  await using sandbox = await host.open()
  await sandbox.writeFile('/tmp/b', new Uint8Array([255, 1, 97, 10]))
  const counts = await sandbox.execute('wc -c < /tmp/b; wc -c /tmp/b; wc -l < /tmp/b')
  expect(counts).toMatchObject({ exitCode: 0, stdout: '4\n4 /tmp/b\n1\n' })
  for (const command of ['rev /tmp/b', 'wc -w < /tmp/b', 'rev /tmp/b 2>/dev/null | cat'])
    expect(await sandbox.execute(command)).toMatchObject({ exitCode: 2, stdout: '' })
})

it('does not take the aliases of a session for the programs of a translation', async () => {
  const sandbox = await host.open()
  await sandbox.execute(
    "alias cat='cat -n' sed='sed -n' tail='tail -r' grep='grep -n'; printf 'b\\na\\n' > f",
  )
  const { stdout } = await sandbox.execute(
    "sort f > g; \\sort -r g > i; \\grep -r a . && 'cat' g; sed s/a/x/ f > h && 'cat' h i",
  )
  expect(stdout).toBe('./f:a\n./g:a\n./i:a\na\nb\nb\nx\nb\na\n')
  await sandbox.close()
})

it('a file that ends in a part of a character is told of as no UTF-8, and not as missing', async () => {
  await using sandbox = await host.open()
  await sandbox.writeFile('/tmp/b', new Uint8Array([97, 195]))
  expect(await sandbox.execute('wc -c /tmp/b')).toMatchObject({ exitCode: 0, stdout: '2 /tmp/b\n' })
  expect(await sandbox.execute('rev /tmp/b')).toMatchObject({
    exitCode: 2,
    stderr: 'rev: /tmp/b, which is no UTF-8, is not available here\n',
  })
})

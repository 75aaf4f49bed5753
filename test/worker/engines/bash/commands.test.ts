import { expect, test } from 'vitest'
import { freshLimits, openShell, run } from './open-shell.ts'

/** A command and the whole of its output, as bash and GNU programs give it in the C locale. */
const COMMANDS: readonly (readonly [command: string, stdout: string, exitCode?: number])[] = [
  [
    'echo $((1 << 40)) $((2 ** 63)) $((-7 / 2)) $((-7 % 3)) $((0x1f)) $((017))',
    '1099511627776 -9223372036854775808 -3 -1 31 15\n',
  ],
  ['v=$(echo $((2#101 << 1))); echo $v', '10\n'],
  ['n=3; ((n <<= 2)); echo $n; ((0)); echo $?', '12\n1\n'],
  ['echo $((1 / 0)); echo after', '', 1],
  ['(echo $((1 / 0))); echo after', 'after\n'],
  ['n=0; [[ $n -gt 0 && $((10 / n)) -gt 1 ]] || echo no', 'no\n'],
  ['case 1 in [!a-z]*) echo not ;; esac', 'not\n'],
  ['[ "$EPOCHSECONDS" -gt 1000000 ] && echo "${BASH_VERSINFO[0]}"', '5\n'],
  ["source /dev/stdin <<< 'f() { echo f$1; }'; f 2", 'f2\n'],
  [
    "export X=1; nohup bash -c 'echo $X'; echo | xargs bash -c 'echo $X'; env Y=2 bash -c 'echo $X$Y'",
    '1\n1\n12\n',
  ],
  ['yes | head -n 2', 'y\ny\n'],
  [
    `sqlite3 :memory: 'select 0.1+0.2, -1/3.0, 1e20, 1.5e-7, 2.5, 7, "a 0.5b"' 'select "0.30000"'`,
    '0.3|-0.333333333333333|1.0e+20|1.5e-07|2.5|7|a 0.5b\n0.30000\n',
  ],
  ['set -o pipefail; yes | head -c 100000000 | wc -c', '0\n', 1],
  [
    'yes > f; echo $?; x=$(yes); echo $?; { yes; } | head -n 1; yes &> /dev/null || echo full',
    '1\n1\ny\nfull\n',
  ],
  ['head -c 10 /dev/zero | wc -c', '10\n'],
  [
    `export A=1 B='x y'; C=no; printf 'a $A \${B} $C $ $1 $$A é\\n' | envsubst; printf '$A $B\\n' | envsubst '$A'; envsubst -v 'x $A \${B}'; printf '$HOME.$X\\n' | X=2 envsubst '$X'`,
    'a 1 x y  $ $1 $1 é\n1 $B\nA\nB\n$HOME.2\n',
  ],
  [
    'mkdir -p t/a; touch t/a/f; tree t | tail -1; tree t/a | tail -1; tree -L 1 t t/a | tail -1',
    '2 directories, 1 file\n1 directory, 1 file\n3 directories, 1 file\n',
  ],
  ['seq 9 > f; { grep -m 1 3; cat; } < f', '3\n', 2],
  ['printf "b\\nB\\na\\n" | sort', 'B\na\nb\n'],
  ['printf "10 b\\n9 a\\n10 a\\n" | sort -k1,1n -k2r', '9 a\n10 b\n10 a\n'],
  [
    'printf "1.10\\n1.9\\n" | sort -V; printf "2K\\n1M\\n3\\n" | sort -h; printf "b\\na\\n" | sort -c',
    '1.9\n1.10\n3\n2K\n1M\n',
    1,
  ],
  [
    'printf "a,b,c\\nnone\\n" | cut -d, -f1,3; echo abc | cut -c2-; echo a,b | cut -d, --complement -f1',
    'a,c\nnone\nbc\nb\n',
  ],
  ['printf "a b\\nc\\n" > f; wc f; wc -l < f; wc -w f f', '2 3 6 f\n2\n 3 f\n 3 f\n 6 total\n'],
  [
    'printf "a b\\nc\\n" | xargs -I{} echo "<{}>"; printf "1 2 3" | xargs -n 2; xargs < /dev/null',
    '<a b>\n<c>\n1 2\n3\n\n',
  ],
  ['printf "alpha\\nbeta\\n" | grep -e al -e be; echo abca | grep -o "[a-z]*a"', 'alpha\nbeta\nabca\n'],
  ['echo x > f; grep -H x f; grep -L y f; mkdir d; echo x > d/g; cd d; grep -r x .', 'f:x\nf\n./g:x\n'],
  ["printf 'b\\n' | sed '1i\\top'; echo a > f; sed -i.bak s/a/b/ f; cat f f.bak", 'top\nb\nb\na\n'],
  ['awk \'BEGIN { x["a"]; print ("a" in x), split("", p), int(-3.7) }\'', '1 0 -3\n'],
  ["printf 'a\\n' | awk '{ print $1 > \"/dev/stdout\" }'", 'a\n'],
  [
    'awk \'BEGIN { print 1e20, 2 ^ 53, 0.1 + 0.2 "", 1 / 3, 1e-5, substr("hello", 0, 3), substr("hello", -1, 3) }\'',
    '100000000000000000000 9007199254740992 0.3 0.333333 1e-05 hel hel\n',
  ],
  [
    'jq -nc \'["b", "B", "a"] | sort\'; jq -nc \'[{k:2},{k:1}] | group_by(.k)\'; jq -nj \'1, 2\'',
    '["B","a","b"]\n[[{"k":1}],[{"k":2}]]\n12',
  ],
  ["echo '{}' | jq -e '.a // empty'; echo $?; echo '{}' | jq '$none' 2> /dev/null; echo $?", '4\n3\n'],
  ['printf "%g %G %x\\n" 1e10 0.0001 -1', '1e+10 0.0001 ffffffffffffffff\n'],
  ['printf "1\\n2\\n3\\n" | head -n -1', '1\n2\n'],
  [
    "mkdir -p d/e; echo a > d/x.py; echo b > d/e/y; cd d; du; du -sh; du -a --exclude='*.py' . | sort; du -d 1 | tail -1; du -S; du -sb e",
    '8\t./e\n16\t.\n16K\t.\n12\t.\n4\t./e/y\n8\t./e\n16\t.\n8\t./e\n8\t.\n4098\te\n',
  ],
]

for (const [command, stdout, exitCode = 0] of COMMANDS)
  test(`gives what bash gives: ${command}`, async () => {
    const result = await run(await openShell(), command)
    expect(result.slice(0, 2)).toEqual([exitCode, stdout])
  })

/** What is refused, since the answer would be wrong. */
const REFUSED: readonly (readonly [command: string, message: RegExp])[] = [
  ['awk \'BEGIN { print "x" |& "cat" }\'', /\|& is not known here/],
  ["echo a | sed 's/a/b/e'", /flag e/],
  ["echo a | grep -P 'a++'", /not known here/],
  ['grep -T a /etc/passwd', /-T is not known here/],
  ["awk 'BEGIN { x = 1 / 0; print x }'", /division by zero/],
  ['jq -n \'include "a"; 1\'', /not known here/],
  ["jq -n 'def f: . + 1 | f; 0 | f'", /nested deeper than is known here/],
  ['yes | head -c 100000000', /more than fit here/],
  ['echo {1..300000} | wc -w', /work limit exceeded/],
  ["bash -c 'echo $0' ''", /not known here/],
  ['exec 3>&1 > out; x=$(echo hi); exec >&3', /not known here/],
  ['if true; then exec > out; fi; echo a | cat', /not known here/],
  ['f() { exec > out; }', /not known here/],
  ["exec > out; trap 'echo bye' EXIT", /not known here/],
  ['exec > >(cat); echo hi', /not known here/],
  ['{ echo a; cat f; } > f', /f cannot be read here/],
  ['while read -r l; do grep -qx "$l" f || echo "$l"; done < /etc/passwd > f', /f cannot be read here/],
  ['for i in 1 2; do grep -q $i f || echo $i; done >> f', /f cannot be read here/],
  ['exec 3>&1; x=$(echo shown >&3; echo captured)', /not known here/],
  ['{ x=$(echo shown >&3); } 3>&1', /not known here/],
]

for (const [command, message] of REFUSED)
  test(`refuses with a message: ${command}`, async () => {
    const [exitCode, stdout, stderr] = await run(await openShell(), command)
    expect([exitCode === 0, stdout]).toEqual([false, ''])
    expect(stderr).toMatch(message)
  })

test('bounds the size of the files that commands write', async () => {
  const shell = await openShell({ limits: { ...freshLimits, maxFileSize: 100 } })
  const [, , stderr] = await run(shell, 'seq 1 1000 > large')
  expect(stderr).not.toBe('')
  const [, size] = await run(
    shell,
    'for i in 1 2 3; do printf "%060d" 0 >> small; done 2> /dev/null; wc -c < small',
  )
  expect(size).toBe('60\n')
})

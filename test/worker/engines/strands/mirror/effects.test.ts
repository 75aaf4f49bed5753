import { describe, expect, it } from 'vitest'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'
import { effectsOf } from '../../../../../worker/engines/strands/mirror/effects.ts'

const judged = (command: string) => effectsOf(rewriteCommand(command))
const kind = (command: string) => judged(command).kind

describe('a command that only reads', () => {
  it.each([
    '',
    '  \n\t\n',
    '# just a comment',
    'ls -la src # list',
    'cat \'a b\' "c d" e\\ f',
    `cat "$file" $other \${third:-x} ~/notes *.md`,
    'grep -rn "TODO" src | head -n 20',
    "grep -E 'a|b;c>d' file",
    'cat a b 2>/dev/null || echo "none" >&2',
    'ls > /dev/null 2>&1',
    'wc -l < input.txt',
    'cd src && pwd; ls',
    "find . -name '*.ts' -not -path './node_modules/*' | sort | uniq -c | sort -rn",
    'find src/*.d -maxdepth 2 \\( -type f -o -type l \\) -print0',
    "find . -name '*.ts' -exec grep -n foo {} +",
    "find . -type f | xargs -n 10 grep -l 'x y'",
    'ls | xargs -I {} basename {} .ts',
    'sort -t: -k2,2n -u names',
    'sort -t , -k 3 names',
    'uniq -f 1 names',
    'cut -d, -f1 a.csv | tr a-z A-Z',
    "sed -n '10,20p' file",
    "sed -n '/begin/,/end/p; $p' file",
    "sed 's/a|b/c/gi' file | sed -E -e 's#/w#x#' -e '/^$/d'",
    'sed -n 1,5p src/*.ts',
    'printf \'%s\\n\' "$x" $y',
    'FOO=1',
    'FOO=1 BAR="$x" ls',
    'export PATH=$PATH:/opt/bin LANG',
    'set -euo pipefail; set -- a b',
    'if [ -f a ] && test -d b; then cat a; elif ! [ "$x" = y ]; then ls; else echo no; fi',
    'for f in *.ts "$x"; do\n  echo "== $f"\n  head -n 3 "$f"\ndone | cat',
    'while read -r line; do echo "$line"; done < list',
    'case $x in a|b) ls;; (c) cat d;; esac',
    '( cd src; ls ); { pwd; }',
    'echo "$(cat a | wc -l) lines in $(pwd)"',
    `x=$(ls $(dirname "$f")); echo $x $((x + 1)) \${#x} $# $?`,
    "cat <<'E'\n$(touch a) `touch b`\nE\nls",
    'cat <<E\ntext of $x\nE',
    'echo "a\nb $x"',
    'command -v jq && type ls',
    'echo a \\\n  b',
    'false &&\n  ls',
    'echo a#b',
    "'cat' a; \\ls",
    'env; date +%F; jq -r .name package.json; sleep 0.1; exit 3',
    "jq '.a > 1 | select(.b)' f",
    'echo done',
  ])('%j', (command) => {
    expect(judged(command)).toMatchObject({ kind: 'none', renames: false })
  })
})

describe('a command that may write', () => {
  it.each([
    'touch a',
    'echo a > b',
    'echo a >> b',
    '> b',
    'ls >| b',
    'cat <> b',
    'ls > $x',
    'ls > "/dev/null2"',
    'ls &> /dev/null',
    'ls >& b',
    'echo a >&3',
    'ls 2> errors',
    '{ echo a; } >&2',
    'if true; then ls; fi 1>&2',
    '>&2 echo a',
    'for f in a; do cat $f; done > b',
    'echo "$(touch a)"',
    'echo $(echo a > b)',
    'cat a | tee b',
    'sleep 1 &',
    'sort -o a b',
    'sort -uo a b',
    'sort -ro b a',
    'sort --output=a b',
    'sort $x',
    'sort *',
    'uniq a b',
    'uniq a*',
    'uniq $x',
    'uniq -f 1 a b',
    'sed -i s/a/b/ c',
    'sed -ni p c',
    'sed s/a/b/ c -i',
    "sed -n 'w b' a",
    "sed -n '/x/w b' a",
    "sed 's/a/b/w c' d",
    "sed -e p -e 'w b' a",
    "sed -n 'p\nw b' a",
    'sed "$script" a',
    'sed -n p $x',
    'sed -f script a',
    'printf -v x y',
    'printf "$x"',
    'if ls; then rm a; fi',
    'case a in b) ls;; *) rm c;; esac',
    'ls || rm a',
    'ls\nrm a',
    'true && mkdir -p a/b',
    'chmod +x a',
    'curl -o a https://b',
    "cat > a <<'E'\n`x` $(y)\nE",
  ])('%j', (command) => {
    expect(judged(command)).toMatchObject({ kind: 'files', renames: false })
  })
})

describe('a command that may write and bring an old time of change with it', () => {
  it.each([
    'mv a b',
    'ls && mv a b',
    'echo $(mv a b)',
    'lua x.lua',
    'lua',
    'sh x.sh',
    'find . -delete',
    'find . -fprint a',
    'find . -exec rm {} \\;',
    'find . -exec cat {} \\; -delete',
    'find . -exec cat {} \\; -exec rm {} +',
    'find . -exec $x {} +',
    'find $x',
    'find *',
    'find . -exec cat -maxdepth 1 {} +',
    'ls | xargs rm',
    'ls | xargs $x',
    'ls | xargs -I a cat',
    'ls | xargs cat -I c',
    'ls | xargs cat $x',
    'env touch a',
    'echo `ls`',
    'cat <<E\n$(touch a)\nE',
    'cat <<E\n`touch a`\nE',
  ])('%j', (command) => {
    expect(judged(command)).toMatchObject({ kind: 'files', renames: true })
  })
})

describe('a command that may do anything, and shows what it defines', () => {
  it.each([
    'nosuch',
    './cat',
    '/bin/cat a',
    'f() { ls; }',
    'f() { ls; }; f',
    'function f { ls; }',
    'function f() { ls; }',
    'unalias [',
    'command ls',
    'unset -f ls',
    'unset $x',
    'unset x=$y',
    'export -f ls',
    'export $x',
    '[[ -f a ]] && ls',
    'cat <(ls)',
    'a=(b c)',
    'echo "a',
    "echo 'a",
    'ls\r',
    'ls \0',
    'cat <<"E F"\na\n\ntouch b\nE F',
    "if true; then cat <<'E'\ntouch a\nE\nfi",
    "cat <<'E' |\ntouch a\nE\ncat",
    "cat <<'E'; if true; then\ntouch a\nE\nls; fi",
    "case a in fi) cat <<'E'\ntouch a\nE\n;; esac",
    "for fi in a; do cat <<'E'\ntouch a\nE\ndone",
    "( cat <<'E'\ntouch a\nE\n)",
    'cat <<A <<B\na\nA\nb\nB',
    'if true; then\nuniq in\ncat\nfi',
    'if true; then\nuniq i\\n # c\ncat\nfi',
    '{ ls; } | echo then touch a',
    `echo ${'a'.repeat(70_000)}`,
  ])('%j', (command) => {
    expect(judged(command)).toMatchObject({ kind: 'unknown', renames: true })
  })

  it.each(['grep a \\\nb', 'echo a#b'])('%j, before it is rewritten', (command) => {
    expect(effectsOf(command).kind).toBe('unknown')
  })
})

describe('a command that may define a function of ours anew', () => {
  it.each([
    '[() { touch a; }',
    'test() { touch a; }',
    'test () ( touch a )',
    'f() { test() { touch a; }; }',
    'function [ { touch a; }',
    'function test() { touch a; }',
    '__ssr_bracket() { touch a; }',
    '__ssr_lua() { touch a; }',
    'c*t a',
    '~/cat',
    '$x',
    '"$x" a',
    'FOO=touch; $FOO a',
    '$(echo ls)',
    'alias ls=rm',
    'trap "touch a" EXIT',
    'eval ls',
    'e\\val ls',
    '"eval" ls',
    'command eval ls',
    'command $x ls',
    'f() { eval "$1"; }',
    'f() { "$@"; }',
    '. a',
    'source a',
    'exec ls',
    'command',
    'ls; eval "$x"',
    'ls $(eval "$x")',
    "echo $'a'",
    'echo $(ls',
    "echo $(echo ')'; touch a)",
    "echo $(echo ')' a ' ; touch b ; echo ' c) # '",
    "echo $(echo ')' )'; touch a; echo '",
    'echo "$(echo ")")"',
    'echo $(case x in a) ls;; esac)',
    'echo $(ls # )\n)',
    'echo `echo \\`ls\\``',
    `echo \${x:-$(ls)}`,
    `echo \${x:-\`ls\`}`,
    `echo \${x#'}'}`,
    'echo $((a[$(touch b)]))',
    'echo "$(ls\nls)"',
    `echo \${x:-a\nb}`,
    `echo ${'$(echo '.repeat(9)}${')'.repeat(9)}`,
    'if true; then\nuniq in\ntest() { touch a; }\nfi',
    'function f { ls; }; function test { ls; }',
    `echo ${'a'.repeat(70_000)}; . a`,
  ])('%j', (command) => {
    expect(judged(command)).toMatchObject({ kind: 'hidden', renames: true })
  })
})

it('takes time linear in the length of a command', () => {
  const elapsed = (command: string) => {
    const start = performance.now()
    kind(command)
    return performance.now() - start
  }
  // The best of some runs does not depend on what else the machine does.
  const best = (command: string) => Math.min(...Array.from({ length: 5 }, () => elapsed(command)))
  for (const unit of [
    '"$x" ',
    "$(ls) 'a' ",
    `\${x:-`,
    '$((',
    '$(',
    '`',
    "sed -n '1p;' ",
    '((',
    "'",
    '\\',
    'a;;',
  ]) {
    const short = best(unit.repeat(15_000 / unit.length))
    // Four times the length would take sixteen times as long if the time was quadratic.
    expect(best(unit.repeat(60_000 / unit.length)), unit).toBeLessThan(Math.max(250, 8 * short))
  }
})

describe('the paths that a command may change', () => {
  const at = (...paths: string[]) => paths.map((path) => ({ path, below: false }))

  it.each([
    ['touch a /b/c', at('a', '/b/c')],
    ['echo a > b; ls >> "c d" 2> e', at('b', 'c d', 'e')],
    ["cat > 'a b.txt' << 'E'\ntext\nE", at('a b.txt')],
    ['cat a | tee -a b c > d', at('d', 'b', 'c')],
    ['mkdir -p a/b && echo > a/b/c', at('a/b', 'a/b/c')],
    ['if ls; then echo a > b; else rmdir c; fi', [...at('b'), { path: 'c', below: true }]],
    ['rm -rf a b', ['a', 'b'].map((path) => ({ path, below: true }))],
    ['cp a/b c', at('c', 'c/b')],
    ['cp -f a b/ c', at('c', 'c/a', 'c/b')],
    ['chmod u+x,go-w a', 'anything'],
    ['chmod +x a', at('a')],
    ['chmod 644 a b', at('a', 'b')],
    ['sed -i s/a/b/ c', at('c')],
    ["sed -n -i -E -e 's/a/b/' -e '3d' c d", at('c', 'd')],
    ['echo "$(echo a > b)"', at('b')],
    ['for i in $x; do echo $i; done > a', at('a')],
  ])('%j', (command, paths) => {
    expect(judged(command).reach).toEqual(paths === 'anything' ? paths : { paths, directories: [] })
  })

  it.each([
    ['cd /a; echo b > c', ['/a']],
    ['cd /a && cd /b; touch c', ['/a', '/b']],
    ['cd a; touch c', 'unknown'],
    ['cd; touch c', 'unknown'],
    ['cd -; touch c', 'unknown'],
    ['cd "$x"; touch c', 'unknown'],
    ['cd /a/*; touch c', 'unknown'],
  ])('%j, from several directories', (command, directories) => {
    expect(judged(command).reach).toEqual({ paths: at('c'), directories })
  })

  it.each([
    'touch $x',
    'touch *.c',
    'touch ~/a',
    'touch {a,b}',
    "touch $'a'",
    'touch a\\ b',
    'touch "a\nb"',
    'touch ""',
    'touch -- a',
    'touch -d 2020-01-01 a',
    'ls > $x',
    'ls > "a$x"',
    'ls >| a',
    'ls &> a',
    'mkdir -m 700 a',
    'rm -rf "$x"',
    'cp -r a b',
    'cp *.c b',
    'chmod -R 755 a',
    'chmod $x a',
    'sed -i.bak s/a/b/ c',
    'sed -i "$x" c',
    "sed -i 'w d' c",
    'sed -i p -e s/a/b/ c',
    'sed -i s/a/b/ *.c',
    'mv a b',
    'ln -s a b',
    'lua a.lua',
    'sh a.sh',
    'find . -delete',
    'ls | xargs touch',
    'touch a &',
    'nosuch a',
    'mktemp a.XXX',
    'curl -o a https://b',
  ])('%j: anything', (command) => {
    expect(judged(`touch a; ${command}`).reach).toBe('anything')
  })
  it('more than a thousand: anything', () => {
    expect(judged('touch b; '.repeat(1001)).reach).toBe('anything')
  })
})

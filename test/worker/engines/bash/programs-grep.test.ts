import { expect, test } from 'vitest'
import { openShell, run } from './open-shell.ts'

/** A command and the whole of its output, as GNU grep gives it. */
const COMMANDS: readonly (readonly [command: string, stdout: string, exitCode?: number])[] = [
  [
    `echo a12b3 | grep -o '[0-9]*'; echo 'foo-bar foo' | grep -ow foo; echo abc | grep -oE 'x*|b'; echo 'a1b22' | grep -oE '[0-9]+'`,
    '12\n3\nfoo\nfoo\nb\n1\n22\n',
  ],
  [
    `printf 'price=10 usd\\ncost=20 eur\\n' | grep -oP '(?<==)\\d+'; printf 'id: 42, name: x\\n' | grep -oP 'id: \\K\\d+'; echo 'foobar' | grep -P 'foo(?!baz)'; echo 'aXbXc' | grep -oP 'a.*?X'; echo '2024-01-05' | grep -oP '(?<y>\\d{4})-\\d\\d'; echo 'a  b' | grep -oP '\\h+b'; echo 'x1 x22' | grep -oP '.*\\K\\d+'; echo 'key_1' | grep -oP '[[:alpha:]_]+'`,
    '10\n20\n42\nfoobar\naX\n2024-01\n  b\n2\nkey_\n',
  ],
  [
    `mkdir -p d/e; echo foo > d/a.py; echo foo > d/b.js; echo foo > d/e/c.py; grep -r foo d | sort; grep -rn --include='*.py' foo d | sort; grep -rl foo --exclude-dir=e d | sort; grep -rc foo d | sort; cd d; grep -r foo | sort; grep -r foo . | sort; grep -rh foo --exclude='*.js' . ; grep -rL bar . | sort`,
    'd/a.py:foo\nd/b.js:foo\nd/e/c.py:foo\nd/a.py:1:foo\nd/e/c.py:1:foo\nd/a.py\nd/b.js\nd/a.py:1\nd/b.js:1\nd/e/c.py:1\na.py:foo\nb.js:foo\ne/c.py:foo\n./a.py:foo\n./b.js:foo\n./e/c.py:foo\nfoo\nfoo\n./a.py\n./b.js\n./e/c.py\n',
  ],
  [
    `printf '1\\n2\\nm\\n4\\n5\\n6\\n7\\nm\\n9\\n' > f; grep -A1 -B1 m f; grep -C1 -n m f; grep -A1 m f f; grep -1 m f; grep -n -A1 --no-group-separator m f; grep -m1 -A1 m f; grep -c m f; grep -vc m f; grep -c m f f`,
    '2\nm\n4\n--\n7\nm\n9\n2-2\n3:m\n4-4\n--\n7-7\n8:m\n9-9\nf:m\nf-4\n--\nf:m\nf-9\n--\nf:m\nf-4\n--\nf:m\nf-9\n2\nm\n4\n--\n7\nm\n9\n3:m\n4-4\n8:m\n9-9\nm\n4\n2\n7\nf:2\nf:2\n',
  ],
  [
    `printf 'a.b\\naxb\\n' > f; grep -F a.b f; grep a.b f; grep -x axb f; grep -c . f; grep -e a.b -e zz f; printf 'axb\\nq\\n' > p; grep -f p f; grep -vf p f; grep -nb axb f; grep -H axb f; grep -h a f f; grep -l a f nof; echo $?; grep -q zz f; echo $?; grep -s a nof; echo $?; grep 'a\\+\\.' f; grep -E 'a(\\.|x)b' f; grep 'a\\(x\\|y\\)b' f`,
    'a.b\na.b\naxb\naxb\n2\na.b\naxb\naxb\na.b\n2:4:axb\nf:axb\na.b\naxb\na.b\naxb\nf\n2\n1\n2\na.b\na.b\naxb\naxb\n',
  ],
  [
    `printf 'Hello\\nhello world\\n' | grep -i HELLO; printf 'ab\\nabab\\n' | grep -E '^(ab){2}$'; printf 'ab\\nabab\\n' | grep '^\\(ab\\)\\1$'; printf 'foo\\n' | grep -w fo; echo $?; printf 'a b\\n' | grep -E '\\bb\\b'; printf 'x\\ty\\n' | grep -P '\\t'; printf 'a\\n\\nb\\n' | grep -c '^$'; printf 'a\\n' | grep -v a; echo $?; printf 'error 1\\nwarn 2\\n' | grep -E 'error|warn' | grep -oE '[0-9]+$'`,
    'Hello\nhello world\nabab\nabab\n1\na b\nx	y\n1\n1\n1\n2\n',
  ],
  [
    `printf 'a\\0b\\0' | grep -z a | tr '\\0' '\\n'; printf '\\0foo\\n' > bin; grep foo bin; grep -a foo bin | tr -d '\\0'; grep -c foo bin; grep -ob o - <<< 'foo'; printf 'k=v\\n' | grep --color=never k; printf 'x\\n' | grep --line-buffered x; printf 'foo\\n' | grep -on 'o'; grep -L foo bin; echo $?`,
    'a\nfoo\n1\n1:o\n2:o\nk=v\nx\n1:o\n1:o\n0\n',
  ],
  [
    `mkdir d; grep foo d; echo $?; grep -e; echo $?; grep; echo $?; grep --nope x; echo $?; grep '[' /dev/null; echo $?; grep -E '(' /dev/null; echo $?; echo 'a(b' | grep 'a(b'; echo 'a{1' | grep -E 'a{1'; echo 'a+b' | grep 'a+b'; echo '*x' | grep '*x'; echo ')' | grep -E ')'; echo 'a|b' | grep 'a|b'; echo aab | grep -oE 'a{1,}'; echo 'a]' | grep '[]]'; echo 'a-b' | grep -o '[a-]*'; echo 'a\\b' | grep '[\\]'`,
    '2\n2\n2\n2\n2\n2\na(b\na{1\na+b\n*x\n)\na|b\naa\na]\na-\na\\b\n',
  ],
  [
    `printf '10.0.0.1 - GET\\n192.168.1.1 - POST\\n' | grep -oE '([0-9]{1,3}\\.){3}[0-9]{1,3}'; printf 'mail me@x.org now\\n' | grep -oE '[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}'; printf 'foobar\\n' | grep -oE 'foo|foobar'; printf '12.5 7\\n' | grep -oE '[0-9]+|[0-9]+\\.[0-9]+'; printf 'a\\nb\\n' | grep -n ''; printf 'x\\n' | grep -e x -; printf 'TODO: a\\n' | grep -nE '(TODO|FIXME)'; echo "don't" | grep "n't"`,
    `10.0.0.1\n192.168.1.1\nme@x.org\nfoobar\n12.5\n7\n1:a\n2:b\nx\n1:TODO: a\ndon't\n`,
  ],
  [
    `printf 'x\\n' > -f; grep -- x -f; printf 'a-b\\n' | grep -e -b; printf 'ä ö\\n' | grep -o '.'; printf 'É\\n' | grep -i é; printf 'a\\r\\n' | grep -c $'\\r'; printf 'abc' | grep c; printf 'one two\\n' | grep -o '\\w*'; printf 'one two\\n' | grep -o '\\<t[a-z]*'; printf 'foo.txt\\nfoo.md\\n' | grep '\\.txt$'; printf 'a\\nb\\nc\\n' | grep -E '^(a|c)$'; fgrep 'a.' <<< 'a.b'; egrep 'a+' <<< aa`,
    'x\na-b\nä\n \nö\nÉ\n1\nabc\none\ntwo\ntwo\nfoo.txt\na\nc\na.b\naa\n',
  ],
  [
    `printf 'a\\nb\\n' | grep $'a\\nb'; printf 'abc\\n' | grep -c '' ; printf '' | grep ''; echo $?; printf 'x\\n' > f; grep -rn x f; grep -rhn x f; grep -RH x f; grep x f - < /dev/null; grep -Z -l x f | od -c | head -1; printf 'aa\\nbb\\naa\\n' | grep -m1 aa; printf 'aa\\n' | grep -o a | wc -l; printf 'ab\\n' | grep -vo a; echo $?`,
    'a\nb\n1\n1\n1:x\n1:x\nf:x\nf:x\n0000000   f  \\0\naa\n2\n1\n',
  ],
]

for (const [command, stdout, exitCode = 0] of COMMANDS)
  test(`gives what grep gives: ${command}`, async () => {
    const result = await run(await openShell({ cwd: '/work', env: [['TZ', 'UTC']] }), command)
    expect(result.slice(0, 2)).toEqual([exitCode, stdout])
  })

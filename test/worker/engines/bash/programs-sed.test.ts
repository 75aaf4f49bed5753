import { expect, test } from 'vitest'
import { openShell, run } from './open-shell.ts'

/** A command and the whole of its output, as GNU sed gives it. */
const COMMANDS: readonly (readonly [command: string, stdout: string, exitCode?: number])[] = [
  [`echo 'hello world' | sed 's/\\w\\+/\\u&/g; s/WORLD/x/I'`, 'Hello x\n'],
  [
    `echo 'foo_bar_baz' | sed -E 's/_([a-z])/\\U\\1/g'; echo 'FooBar' | sed -E 's/([A-Z])/_\\l\\1/g;s/^_//'; echo ABC | sed 's/.*/\\L&/'; echo 'a b' | sed -E 's/(.) (.)/\\U\\1\\E-\\u\\2/'`,
    'fooBarBaz\nfoo_bar\nabc\nA-B\n',
  ],
  [
    `printf '1\\n2\\n3\\n4\\n5\\n' | sed -n '2,4p;$='; printf '1\\n2\\n3\\n4\\n5\\n' | sed '1~2d'; printf '1\\n2\\n3\\n4\\n5\\n' | sed -n '2,+1p'; printf '1\\n2\\n3\\n4\\n5\\n' | sed -n '2,~4p'; printf '1\\n2\\n3\\n' | sed '$!d'; printf '1\\n2\\n3\\n' | sed '0~2d'`,
    '2\n3\n4\n5\n2\n4\n2\n3\n2\n3\n4\n3\n1\n3\n',
  ],
  [
    `printf 'a\\nb\\na\\nb\\n' | sed '0,/a/s/a/X/'; printf 'a\\nb\\na\\nb\\n' | sed '1,/a/s/a/X/'; printf 'A\\nb\\n' | sed '/a/Id'`,
    'X\nb\na\nb\nX\nb\nX\nb\nb\n',
  ],
  [
    "printf 'a\\nb\\nc\\n' | sed -n 'H;${x;s/\\n/,/g;s/^,//;p}'; printf 'a\\nb\\nc\\n' | sed ':a;N;$!ba;s/\\n/ /g'; printf 'a\\nb\\nc\\n' | sed -n '1!G;h;$p'; printf '1\\n2\\n3\\n4\\n' | sed 'N;s/\\n/-/'; printf '1\\n2\\n3\\n' | sed '$!N;P;D'",
    'a,b,c\na b c\nc\nb\na\n1-2\n3-4\n1\n2\n3\n',
  ],
  [
    `printf 'a\\nb\\n' | sed '/a/a\\\nafter\n/b/i\\\nbefore'; printf 'a\\nb\\n' | sed '1a hello\\nwor\\tld'; printf 'a\\nb\\n' | sed '2c\\changed'; printf 'a\\nb\\nc\\n' | sed '2,3c\\new'; printf 'a\\nb\\n' | sed -e '1i\\' -e '  two'; printf 'a\\n' | sed '1i\\   foo\\\n  bar'; printf 'a\\nb\\n' | sed '$a end'`,
    'a\nafter\nbefore\nb\na\nhello\nwor	ld\nb\na\nchanged\na\nnew\n  two\na\nb\n   foo\n  bar\na\na\nb\nend\n',
  ],
  [
    `printf 'a1\\nb2\\n' > f; sed -i.bak 's/[0-9]/N/' f; cat f f.bak; printf 'x\\n' > g; sed -i -e '1i top' -e 's/x/y/' f g; cat f g; sed -n -i -E 's/(y)/\\1!/p' g; cat g; sed -ni p g; cat g; sed -i '$d' f; cat f`,
    'aN\nbN\na1\nb2\ntop\naN\nbN\ntop\ny\ny!\ny!\ntop\naN\n',
  ],
  [
    `printf 'a b\\n' | sed 'y/ab/xy/'; echo a/b | sed 's/[/]/x/'; echo 'a|x' | sed 's|a\\|x|Y|'; echo '/usr/bin' | sed 's#/usr#/opt#'; echo aXbX | sed 's/X/-/2'; echo aXbXcX | sed 's/X/-/2g'; echo 'a.b' | sed 's/\\./\\\\./'; echo 'a&b' | sed 's/&/and \\& /'`,
    'x y\naxb\nY\n/opt/bin\naXb-\naXb-c-\na\\.b\naand & b\n',
  ],
  [
    `printf 'a\\0b\\0' | sed -z 's/^/x/' | tr '\\0' '\\n'; printf 'a\\nb\\n' | sed -z 's/\\n/,/g'; echo; printf 'x' | sed p; printf 'a' | sed 'a b'`,
    'xa\nxb\na,b,\nx\nxa\nb\n',
  ],
  [
    `printf 'a\\nb\\nc\\n' | sed 2q; printf 'a\\nb\\nc\\n' | sed -n '2{p;q}'; printf 'a\\nb\\n' | sed 'q5'; echo $?; printf 'a\\nb\\n' | sed Q; printf 'a\\nb\\n' | sed '1d;q3'; echo $?`,
    'a\nb\nb\na\n5\nb\n3\n',
  ],
  [
    `printf 'a\\nb\\n' > f; sed 's/a/x/w out' f; cat out; sed -n '/b/w o2' f; cat o2; echo ins > r; sed '1r r' f; sed 's/b/&&/;ta;s/a/A/;:a' f; sed '/a/{n;d}' f; sed '/a/,/b/{s/^/> /}' f`,
    'x\nb\nx\nb\na\nins\nb\nA\nbb\na\n> a\n> b\n',
  ],
  [
    `printf '# c\\n\\nkey = v # x\\n' | sed -e 's/#.*$//' -e '/^[[:space:]]*$/d' -e 's/[ \\t]*$//'; echo '  trim  ' | sed 's/^ *//;s/ *$//' | cat -A`,
    'key = v\ntrim$\n',
  ],
  [
    `sed p nofile; echo $?; echo | sed k; echo $?; echo | sed 's/a/b'; echo $?; echo | sed -E 's/(a/b/'; echo $?; echo a | sed 's/a/\\1/'; echo $?`,
    '2\n1\n1\n1\n1\n',
  ],
  [
    `echo 'aaa bbb' | sed -E 's/(a+) (b+)/\\2 \\1/'; echo 'abc' | sed 's/\\(a\\)\\(b\\)/\\2\\1/'; echo 'foo.bar' | sed -E 's/\\.[^.]*$//'; echo 'aab' | sed 's/a\\|b/X/2g'; echo 'x=1;y=2' | sed 's/;/\\n/g'; echo abc | sed 's/b*/-/g'; echo baaac | sed 's/a*/x/g'; echo 'abcd' | sed -E 's/(ab|abcd)/[\\1]/'`,
    'bbb aaa\nbac\nfoo\naXX\nx=1\ny=2\n-a-c-\nxbxcx\n[abcd]\n',
  ],
  [
    `printf '%s\\n' '<a>1</a>' '<b>2</b>' | sed -n 's/.*<a>\\(.*\\)<\\/a>.*/\\1/p'; printf 'one\\ntwo\\nthree\\n' | sed -n '/two/{=;p}'; printf 'a,b\\n' | sed 's/,/","/g;s/^/"/;s/$/"/'; printf '1\\n2\\n3\\n' | sed '2!s/^/x/'; printf 'a\\nb\\n' | sed -s -n '$p' -`,
    '1\n2\ntwo\n"a","b"\nx1\n2\nx3\nb\n',
  ],
  [
    `printf 'a\\nb\\n' > f; printf 'c\\nd\\n' > g; sed -n '$p' f g; sed -s -n '$p' f g; sed -n 3p f g; sed -s 1d f g; sed F f | head -1`,
    'd\nb\nd\nc\nb\nd\nf\n',
  ],
  [
    `printf 'start\\nx\\nend\\ny\\nstart\\nz\\n' | sed '/start/,/end/d'; printf 'a\\nb\\nc\\nd\\n' | sed '2,3!d'; printf 'a\\n\\n\\nb\\n' | sed '/^$/N;/^\\n$/D'; printf '1\\n2\\n3\\n4\\n5\\n6\\n' | sed -n '4,2p'; printf 'a b c\\n' | sed 's/ /\\\n/g'`,
    'y\nb\nc\na\n\nb\n4\na\nb\nc\n',
  ],
  [
    `cat > s.sed <<'E'\n# comment\ns/a/b/   # trailing\n/x/ {\n  s/x/y/\n  p\n}\nE\nprintf 'a\\nx\\n' | sed -f s.sed; printf 'a\\nx\\n' | sed -n -f s.sed`,
    'b\ny\ny\ny\n',
  ],
  [
    `echo "it's" | sed "s/'/\\"/g"; echo 'price: $5' | sed 's/\\$[0-9]/X/'; echo 'a+b' | sed 's/a+b/X/'; echo 'a+b' | sed -E 's/a\\+b/X/'; echo 'aab' | sed 's/a\\{2\\}/X/'; echo 'a{2}' | sed 's/a{2}/X/'; echo '(a)' | sed 's/(a)/X/'; echo 'word boundary' | sed 's/\\bb/B/;s/\\<w/W/;s/d\\>/D/'`,
    'it"s\nprice: X\nX\nX\nXb\nX\nX\nWorD Boundary\n',
  ],
  [
    `printf 'a\\nb\\nc\\n' | sed '1~3d;$!s/$/,/'; printf 'k: v\\n' | sed -E 's/^([^:]+):\\s*(.*)$/\\1=\\2/'; printf 'a\\n' | sed 's/a/x\\ty/'; printf 'aa\\n' | sed 's//X/' ; echo $?; printf 'ab\\n' | sed '/a/s//Z/'`,
    'b,\nc\nk=v\nx	y\n1\nZb\n',
  ],
  [
    `printf 'one\\n' | sed '1!G;h;$!d'; printf '1\\n2\\n3\\n' | sed '1!G;h;$!d'; echo 1234567 | sed -E ':a;s/([0-9])([0-9]{3})($|,)/\\1,\\2\\3/;ta'; echo 1234567 | sed ':a;s/\\B[0-9]\\{3\\}\\>/,&/;ta'`,
    'one\n3\n2\n1\n1,234,567\n1,234,567\n',
  ],
  [
    `printf 'a\\nb\\n' | sed -n '/b/!p'; printf 'a\\nb\\nc\\n' | sed -e '/b/b end' -e 's/^/>/' -e ':end'; printf 'ab\\n' | sed 's/a/&\\n/;P;D'; printf 'a b\\n' | sed 's/\\s/_/;s/\\S/Q/'; printf 'a\\nb\\n' | sed 'n;d'; printf 'a\\nb\\nc\\n' | sed '$!N;$!D'; printf 'x\\n' | sed 'z;s/^$/e/'`,
    'a\n>a\nb\n>c\na\nb\nQ_b\na\nb\nc\ne\n',
  ],
]

for (const [command, stdout, exitCode = 0] of COMMANDS)
  test(`gives what sed gives: ${command}`, async () => {
    const result = await run(await openShell({ cwd: '/work', env: [['TZ', 'UTC']] }), command)
    expect(result.slice(0, 2)).toEqual([exitCode, stdout])
  })

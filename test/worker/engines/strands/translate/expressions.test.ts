// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

/** A command with an expression that the engine would read otherwise, and what GNU's programs print. */
const RUNS: readonly (readonly [command: string, stdout: string])[] = [
  ["printf 'feat(x): a\\nb\\n' | grep '^feat('", 'feat(x): a\n'],
  ["printf 'a{2}\\naa\\n' | grep 'a{2}'", 'a{2}\n'],
  ["printf 'a+b?c|d\\naab\\n' | grep 'a+b?c|d'", 'a+b?c|d\n'],
  ["printf 'a\\nb\\nc\\n' | grep 'a\\|b'", 'a\nb\n'],
  ["printf 'aa\\nab\\n' | grep 'a\\{2\\}'; printf 'aab\\n' | grep -o 'a\\+\\(b\\)\\?'", 'aa\naab\n'],
  ["printf '*a\\nx*\\n' | grep '^*a'; printf 'a^b$c\\n' | grep 'a^b$c'", '*a\na^b$c\n'],
  ["printf 'a\\\\b\\n[x]\\n' | grep '[\\]'; printf '[x]\\n' | grep '[[]x[]]'", 'a\\b\n[x]\n'],
  ["printf 'a&~b\\n' | grep -o '[&&~~]*'", '&~\n'],
  [
    "printf 'a1\\nad\\n' | grep -E '\\d'; printf 'a)\\n' | grep -E 'a)'; printf '${a}\\n' | grep -E '\\${a}'",
    'ad\na)\n${a}\n',
  ],
  ["printf 'abc\\n' | grep -oE 'a|ab'; printf 'abcd\\n' | grep -oE '(b|c)+'", 'ab\nbc\n'],
  ["printf 'a=1\\n=2\\n' | grep -o '^[^=]*'; printf 'x\\n' | grep -no 'y*'", 'a\n'],
  ["printf 'f(b)\\n (b) \\n' | grep -w '(b)'; printf 'abc\\nab\\n' | grep -x 'ab\\|c'", ' (b) \nab\n'],
  ["x='a(b'; printf 'a(b\\n' | grep \"$x\"; p='^[b-d]\\+$'; printf 'bcd\\n' | grep \"$p\"", 'a(b\nbcd\n'],
  ['printf "a\\nb\\n" | grep $\'a\\nb\'; printf "a.c\\nabc\\n" | grep -F $\'a.c\\nq\'', 'a\nb\na.c\n'],
  ["printf 'a.b\\n' | fgrep a.b; printf 'ab\\n' | egrep '^(ab|c)$'", 'a.b\nab\n'],
  [
    'cd /tmp; printf "a\\n" > f; grep -l a f; grep -L a f; grep -c -m1 a f f; grep "a\\|q" f none; echo $?',
    'f\nf:1\nf:1\nf:a\n2\n',
  ],
  [
    'cd /tmp; mkdir -p g/e; printf "a(\\n" > g/e/x; cd g; grep -rn "a(" .; grep -r a; grep -rl a e',
    './e/x:1:a(\ne/x:a(\ne/x\n',
  ],
  [
    "cd /tmp; printf 'f(x)\\n' > h; find h -exec grep -n 'f(x' {} \\;; echo h | xargs grep -l 'f(x'; echo h | xargs wc -l",
    '1:f(x)\nh\n1 h\n',
  ],
  ["printf 'a1b\\n' | grep -oP '\\d+'; printf 'a\\n' | grep -a --color=never a -", '1\na\n'],
  ["echo 'a(b)c' | sed 's/(b)/x/; s/\\(a\\)x/\\1+/'", 'a+c\n'],
  ["echo 'aab|c' | sed 's/a\\+/x/; s/b|/y/; s/y\\|q/z/'", 'xzc\n'],
  ["echo '{{n}} ${v}' | sed 's/{{n}}/1/; s/${v}/2/'; n=k; echo '{{k}}' | sed \"s/{{$n}}/v/\"", '1 2\nv\n'],
  [
    "echo 'a(b' | sed -E 's/a\\(/x/'; echo 'a/b' | sed 's|/|(|; s#(#\\/#'; echo abab | sed 's/ab*$/X/'",
    'xb\na/b\nabX\n',
  ],
  [
    "printf 'a(\\nb\\n' | sed '/(/d'; printf 'a\\nb)\\nc\\n' | sed -n '/b)/,$p'; echo ab | sed -E 's/a|ab/x/'",
    'b\nb)\nc\nx\n',
  ],
  [
    "cd /tmp; printf 'f(x)\\n' > s; sed -i 's/f(x)/g(y)/' s; cat s; echo s | xargs sed -i 's/(y)//'; cat s",
    'g(y)\ng\n',
  ],
  [
    "printf 'a=b=c\\nq\\n' | cut -d= -f2-; printf 'a:b\\n' | cut -f2 -d:; printf 'q\\n' | cut -s -d, -f1",
    'b=c\nq\nb\n',
  ],
  [
    "printf 'a\\nb\\n' | nl -w2 -s': ' -v 5; printf 'a\\n\\n' | nl -ba -nrz -w 3",
    ' 5: a\n 6: b\n001\ta\n002\t\n',
  ],
  [
    'cd /tmp; mkdir -p l/d; ln -s d l/n; : > l/f; ln -s f l/m; find l -type d; find l -type f; find l ! -type d | sort',
    'l\nl/d\nl/f\nl/f\nl/m\nl/n\n',
  ],
  [
    "printf 'a\\n' | sed -n '$='; printf 'aa\\n' | sed 's/a/b/2g'; printf 'abab\\n' | sed -E 's/(ab)\\1/x/'",
    '1\nab\nx\n',
  ],
  ["x='a(b'; [[ $x =~ a\\(b ]] && echo yes; y='${q}'; [[ $y =~ ^\\$\\{ ]] && echo yes", 'yes\nyes\n'],
]

/** What is refused when it runs, with status 2. */
const REFUSED = [
  "printf 'xabab\\n' | grep '\\(ab\\)\\1'",
  "printf 'ab\\n' | grep -oP '(?<=a)b++'",
  "printf 'ab\\n' | grep -oE '(a|ab)(c|bcd)'",
]

it('an expression means what it does in POSIX', async () => {
  await using sandbox = await host.open({ timeout: 60 })
  const found: (readonly [string, string])[] = []
  for (const [command] of RUNS) found.push([command, (await sandbox.execute(`(${command})`)).stdout])
  expect(found).toEqual(RUNS)
})

it('an expression that the engine does not have is refused', async () => {
  await using sandbox = await host.open({ timeout: 60 })
  for (const command of REFUSED) {
    const { exitCode, stdout, stderr } = await sandbox.execute(command)
    expect({ command, exitCode, stdout }).toEqual({ command, exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/is not available here/)
  }
})

import { expect, test } from 'vitest'
import { openShell, run } from './open-shell.ts'

const digestOfHello = {
  sha512sum:
    '9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043',
  sha224sum: 'ea09ae9cc6768c50fcee903ed054556e5bfc8347907f12598aa24193',
}

/** A command and the whole of its output, as GNU programs give it. */
const COMMANDS: readonly (readonly [command: string, stdout: string, exitCode?: number])[] = [
  ["touch -d @1000 f; stat -c '%Y %a %s %n %F' f", '1000 644 0 f regular empty file\n'],
  [
    "touch -t 202001020304.05 f; stat -c '%y' f; date -r f +%s",
    '2020-01-02 03:04:05.000000000 +0000\n1577934245\n',
  ],
  ["touch -d '2020-01-02 03:04:05' a; touch -r a b; stat -c %Y a b", '1577934245\n1577934245\n'],
  ['touch -c none; ls; touch -d nonsense f; echo $?; touch; echo $?; touch -x f; echo $?', '1\n1\n1\n'],
  [
    'touch -d @1 f; touch -a f; stat -c %Y f; echo x > f; [ "$(stat -c %Y f)" -gt 1000 ] && echo now',
    '1\nnow\n',
  ],
  [
    "mkdir d; ln -s d l; stat -c '%F %a' d; stat -c '%F %N' l; stat -L -c %F l",
    "directory 755\nsymbolic link 'l' -> 'd'\ndirectory\n",
  ],
  [
    "touch f; chmod 4751 f; stat -c '%A %f' f; chmod 644 f; stat --format=%a f; stat --printf='%a\\n%%\\t|' f",
    '-rwsr-x--x 89e9\n644\n644\n%\t|',
  ],
  [
    'echo hi > f; stat -c "[%5s|%-5s|%05s]" f; stat -t f | cut -d" " -f2; stat f | head -2 | cut -c1-12',
    '[    3|3    |00003]\n3\n  File: f\n  Size: 3   \n',
  ],
  ['stat none; echo $?; stat -Z f; echo $?', '1\n1\n'],
  [
    'mkdir -m 750 x; stat -c %a x; mkdir -pv a/b/c; mkdir -p a/b/c; mkdir a; echo $?; mkdir x/y/z; echo $?',
    "750\nmkdir: created directory 'a'\nmkdir: created directory 'a/b'\nmkdir: created directory 'a/b/c'\n1\n1\n",
  ],
  ['mkdir -m u+x d; stat -c %a d; touch f; mkdir -p f/g; echo $?', '755\n1\n'],
  [
    'ln -s f l; readlink l; ln -s g l; echo $?; ln -sf g l; readlink l; ln -sfn h l; readlink l',
    'f\n1\ng\nh\n',
  ],
  [
    'mkdir d; touch a b; ln -s "$PWD/a" "$PWD/b" d; ls d; ln -sv a c; ln -s d e; ln -sfn a e; readlink e',
    "a\nb\n'c' -> 'a'\na\n",
  ],
  ['touch f; ln f g; echo $?; ls', '1\nf\n'],
  ['printf hello | sha512sum', `${digestOfHello.sha512sum}  -\n`],
  ['printf hello > f; sha224sum f none; echo $?', `${digestOfHello.sha224sum}  f\n1\n`],
  [
    'printf hello | cksum; printf "" > f; cksum f; sha512sum -c f; echo $?',
    '3287646509 5\n4294967295 0 f\n1\n',
  ],
  ['dirname /a/b/c a / // a/b// /a ./x', '/a/b\n.\n/\n/\na\n/\n.\n'],
  [
    'A=1; export B=2; printenv A B; echo $?; env | sort; env -u B C=3 | grep -c "^[BC]="; env -i X=1; B=5 printenv B',
    '2\n1\nB=2\nHOME=/home/user\nLOGNAME=user\nOLDPWD=/work\nPATH=/usr/bin:/bin\nPWD=/work\nSHELL=/bin/bash\nSHLVL=1\nTZ=UTC\nUSER=user\n1\nX=1\n5\n',
  ],
  ['python3 -c 1; echo $?; type python3 || command -v python; echo $?', '127\n1\n'],
  ['tty; echo $?', 'not a tty\n1\n'],
  [
    'echo x > f; chmod 751 f; echo y > f; stat -c %a f; echo z >> f; echo w | tee f; stat -c %a f; umask 077; echo > g; stat -c %a f g',
    '751\nw\n751\n751\n600\n',
  ],
  ['seq 300000 > f; wc -l < f; wc f; wc -L f', '300000\n 300000  300000 1988895 f\n6 f\n'],
  ["printf 'h\\303\\251 w\\n  x' | wc -lwmcL", '      1       3       8       9       4\n'],
  [
    "printf 'a\\nb\\n' > x; printf '1\\n2\\n' > y; paste -d'\\n' x y; paste -sd+ x; paste -d, x y",
    'a\n1\nb\n2\na+b\na,1\nb,2\n',
  ],
]

for (const [command, stdout, exitCode = 0] of COMMANDS)
  test(`gives what GNU programs give: ${command}`, async () => {
    const result = await run(await openShell({ cwd: '/work', env: [['TZ', 'UTC']] }), command)
    expect(result.slice(0, 2)).toEqual([exitCode, stdout])
  })

test('says of python3 that it is not found, where it is off', async () => {
  expect(await run(await openShell(), 'python3 -c 1')).toEqual([
    127,
    '',
    'bash: python3: command not found\n',
  ])
})

test('keeps the session whatever a script does to PATH and to its programs', async () => {
  const shell = await openShell()
  expect(await run(shell, 'PATH=/none; n=$((1 << 40)); f() { echo "in f: $n"; }; eval "e=1"')).toEqual([
    0,
    '',
    '',
  ])
  expect(await run(shell, 'f; echo $PATH $e')).toEqual([0, 'in f: 1099511627776\n/none 1\n', ''])
  const other = await openShell()
  expect((await run(other, 'ls /bin /usr/bin | grep -c __; rm -rf /usr/bin /bin; a=(1 2)'))[1]).toBe('0\n')
  expect(await run(other, 'echo ${a[1]} $((2 ** 40)); declare -F')).toEqual([0, '2 1099511627776\n', ''])
  expect((await run(await openShell(), "env -i bash -c 'echo $((1 << 33))'"))[1]).toBe('8589934592\n')
})

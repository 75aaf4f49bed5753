import { describe, expect, it } from 'vitest'
import { analyzeScript } from '../../src/policy/analyze/analyze-script.ts'

/** The names of the commands, with the program that runs each, such as `xargs:rm`. */
function names(text: string): string[] {
  return analyzeScript(text).commands.map(
    ({ name = '?', via }) => `${via === undefined ? '' : `${via}:`}${name}`,
  )
}

/** What is only known at run time, by kinds. */
function opaque(text: string): string[] {
  return analyzeScript(text).opaque.map(({ kind }) => kind)
}

it('a script gives its commands, redirects, assignments, functions and substitutions', () => {
  expect(analyzeScript('f() { cat <in; }\nB=$(date) sort -u "x y" $Z >out 2>>log\nf')).toEqual({
    parsed: true,
    commands: [
      { name: 'cat', args: [], text: 'cat <in', via: undefined },
      {
        name: 'sort',
        args: ['-u', 'x y', undefined],
        text: 'B=$(date) sort -u "x y" $Z >out 2>>log',
        via: undefined,
      },
      { name: 'date', args: [], text: 'date', via: undefined },
      { name: 'f', args: [], text: 'f', via: undefined },
    ],
    redirects: [
      { mode: 'read', path: 'in' },
      { mode: 'write', path: 'out' },
      { mode: 'append', path: 'log' },
    ],
    assignments: [{ name: 'B', value: undefined }],
    functions: ['f'],
    substitutions: ['$(date)'],
    opaque: [],
  })
})

it.each([
  ['$(rm)', 'echo $(rm x)'],
  ['backticks', 'echo `rm x`'],
  ['backticks in backticks', 'echo `echo \\`rm x\\``'],
  ['<( )', 'cat <(rm x)'],
  ['>( )', 'ls > >(rm x)'],
  ['a default', 'echo "${x:-$(rm x)}"'],
  ['a replacement', 'echo ${x/a/$(rm x)}'],
  ['an index', 'echo "${x[$(rm x)]}"'],
  ['arithmetic', 'echo $((1 + $(rm x)))'],
  ['old arithmetic', 'echo $[1 + $(rm x)]'],
  ['arithmetic of an index', 'echo $((a[$(rm x)]))'],
  ['an arithmetic command', '((x = $(rm x)))'],
  ['a loop of arithmetic', 'for ((i = $(rm x); i < 1; i++)); do :; done'],
  ['a here-document', 'cat <<E\n$(rm x)\nE'],
  ['a here-document with tabs', 'cat <<-E\n\t`rm x`\n\tE'],
  ['a here-string', 'cat <<< "$(rm x)"'],
  ['a function', 'f() { rm x; }'],
  ['a function with a keyword', 'function f { rm x; }'],
  ['a function of a subshell', 'f() (rm x)'],
  ['if', 'if rm x; then :; fi'],
  ['else', 'if :; then :; elif rm x; then :; fi'],
  ['while', 'while rm x; do :; done'],
  ['until', 'until rm x; do :; done'],
  ['select', 'select a in b; do rm x; done'],
  ['case', 'case a in b) rm x;; esac'],
  ['a word of case', 'case $(rm x) in b) ;; esac'],
  ['a pattern of case', 'case a in $(rm x)) ;; esac'],
  ['a word of for', 'for a in $(rm x); do :; done'],
  ['[[ ]]', '[[ -n $(rm x) ]]'],
  ['an element of an array', 'a=(1 "$(rm x)")'],
  ['an index of an assignment', 'a[$(rm x)]=1'],
  ['declare', 'declare -a a=($(rm x))'],
  ['export', 'export A=$(rm x)'],
  ['a target of a redirect', 'ls > $(rm x)'],
  ['a redirect of a group', '{ ls; } > $(rm x)'],
  ['a group', '{ rm x; }'],
  ['a subshell', '(rm x)'],
  ['a pipeline', 'ls | rm x'],
  ['and', 'ls && rm x'],
  ['the background', 'rm x &'],
  ['!', '! rm x'],
  ['time', 'time -p rm x'],
  ['coproc', 'coproc rm x'],
  ['a named coproc', 'coproc C { rm x; }'],
  ['${ }', 'echo ${ rm x; }'],
])('it looks into %s', (_where, text) => {
  expect(names(text)).toContain('rm')
})

it.each([
  ['eval', "eval 'rm x'", 'eval:rm'],
  ['eval of words', 'eval rm x', 'eval:rm'],
  ['eval in eval', `eval "eval 'rm x'"`, 'eval:rm'],
  ['sh -c', "sh -c 'rm x'", 'sh:rm'],
  ['bash -ec', "bash -ec 'rm x'", 'bash:rm'],
  ['bash -o pipefail -c', "bash -o pipefail -c 'rm x'", 'bash:rm'],
  ['bash -c -e', "bash -c -e 'rm x' name", 'bash:rm'],
  ['/bin/sh -c', "/bin/sh -c 'rm x'", 'sh:rm'],
  ['a here-document of bash', "bash <<'E'\nrm x\nE", 'bash:rm'],
  ['an unquoted here-document of bash', 'bash <<E\nrm x\nE', 'bash:rm'],
  ['a here-string of bash', "bash <<< 'rm x'", 'bash:rm'],
  ['bash -s', "bash -s a <<< 'rm x'", 'bash:rm'],
  ['env of bash', "env A=1 bash <<< 'rm x'", 'bash:rm'],
  ['trap', "trap 'rm x' EXIT", 'trap:rm'],
  ['alias', "alias l='rm x'", 'alias:rm'],
  ['a quoted alias', 'alias "l=rm x"', 'alias:rm'],
  ['xargs', 'ls | xargs -0 -n 1 rm x', 'xargs:rm'],
  ['xargs -I', 'ls | xargs -I{} rm {}', 'xargs:rm'],
  ['xargs --max-args', 'xargs --max-args 1 --null rm', 'xargs:rm'],
  ['xargs sh -c', `xargs sh -c 'rm "$1"' _`, 'sh:rm'],
  ['find -exec', 'find . -name x -exec rm {} \\;', 'find:rm'],
  ['find -exec +', 'find . -exec rm {} +', 'find:rm'],
  ['find -execdir', "find . -exec ls {} ';' -execdir rm {} ';'", 'find:rm'],
  ['find -ok', 'find . -ok rm {} \\;', 'find:rm'],
  ['env', 'env -i -u A B=1 rm x', 'env:rm'],
  ['env -S', "env -S 'rm x'", 'env:rm'],
  ['command', 'command -p rm x', 'command:rm'],
  ['builtin', 'builtin eval rm x', 'eval:rm'],
  ['exec', 'exec -a ls rm x', 'exec:rm'],
  ['nohup', 'nohup rm x', 'nohup:rm'],
  ['timeout', 'timeout -k 5 -s KILL 10 rm x', 'timeout:rm'],
  ['nice', 'nice -n 5 rm x', 'nice:rm'],
  ['nice with a number', 'nice -5 rm x', 'nice:rm'],
  ['the program time', '\\time -o out rm x', 'time:rm'],
  ['sudo', 'sudo -u root A=1 rm x', 'sudo:rm'],
  ['watch', 'watch -n 1 rm x', 'watch:rm'],
  ['parallel', 'parallel -j 2 rm ::: x', 'parallel:rm'],
  ['setsid', 'setsid -f rm x', 'setsid:rm'],
  ['stdbuf', 'stdbuf -oL -e 0 rm x', 'stdbuf:rm'],
  ['ionice', 'ionice -c 3 rm x', 'ionice:rm'],
  ['one in the other', 'nohup nice env timeout 5 rm x', 'timeout:rm'],
])('it looks into what %s runs', (_what, text, name) => {
  expect(names(text)).toContain(name)
})

it.each([
  'rm',
  '"rm"',
  "'rm'",
  '\\rm',
  'r\\m',
  'r"m"',
  "r''m",
  "$'rm'",
  "$'\\x72m'",
  "$'\\162m'",
  '$"rm"',
  'r\\\nm',
])('%s is the name rm', (word) => {
  expect(names(`${word} x`)).toEqual(['rm'])
  expect(opaque(`${word} x`)).toEqual([])
})

it('a path is a name, and one outside the directories of programs is a file', () => {
  expect(names('/bin/rm x')).toEqual(['/bin/rm'])
  expect(opaque('/bin/rm x; /usr/local/bin/rm')).toEqual([])
  expect(opaque('./rm x')).toEqual(['file'])
  expect(opaque('/bin/../tmp/rm x')).toEqual(['file'])
})

describe('what is only known at run time is opaque', () => {
  it.each([
    '$x y',
    '"$x" y',
    '${x} y',
    '$(echo rm) y',
    '`echo rm` y',
    'r$x y',
    '{rm,x}',
    'r[m] x',
    '/bin/r* x',
    '~/rm',
    'env $x',
    'env --unknown rm',
    'command $x',
    'xargs $x rm',
    'xargs -I{} {} x',
    'xargs env',
    'find . $x',
    'find . -exec {} \\;',
    'timeout $t rm',
    'hash -p /tmp/x ls',
    'export $x',
  ])('%s: a name', (text) => {
    expect(opaque(text)).toContain('name')
  })

  it.each([
    'eval "$x"',
    'eval $x',
    'sh -c "$x"',
    'bash -c "$(cat f)"',
    'sh $x',
    'cat f | sh',
    'bash <<E\n$x\nE',
    'bash <<< "$x"',
    '{ bash; } < f',
    'xargs sh -c',
    "xargs -I{} sh -c 'rm {}'",
    'trap "$x" EXIT',
    'alias l="$x"',
    'echo ${x@P}',
    'mapfile -C "rm x" a',
    "let 'a[$(rm x)]=1'",
    "unset 'a[$(rm x)]'",
  ])('%s: a script', (text) => {
    expect(opaque(text)).toContain('script')
  })

  it.each([
    '. f',
    'source f',
    'source <(echo rm)',
    'bash f',
    'sh -x f a',
    'bash < f',
    './x.sh',
    'BASH_ENV=f bash -c :',
  ])('%s: a file', (text) => {
    expect(opaque(text)).toContain('file')
  })

  it.each(['awk \'BEGIN { system("rm x") }\'', "lua -e 'x'", "python3 -c 'x'", 'perl f', 'lua <<E\nx\nE'])(
    '%s: another language',
    (text) => {
      expect(opaque(text)).toContain('language')
    },
  )

  it.each(["eval 'if'", "sh -c '('", "trap 'echo \"' EXIT"])('%s: syntax', (text) => {
    expect(opaque(text)).toContain('syntax')
    expect(analyzeScript(text).parsed).toBe(true)
  })
})

it.each(['if', ')', 'echo "', "echo 'a", 'echo $(', 'f() rm', 'a\0b'])(
  '%j cannot be read: all is opaque',
  (text) => {
    expect(analyzeScript(text)).toEqual({
      parsed: false,
      commands: [],
      redirects: [],
      assignments: [],
      functions: [],
      substitutions: [],
      opaque: [{ kind: 'syntax', text }],
    })
  },
)

it.each([
  [
    'A=1 B= cmd',
    [
      ['A', '1'],
      ['B', ''],
    ],
  ],
  ['A=~/x', [['A', undefined]]],
  ['A+=1', [['A', undefined]]],
  ['A=(1 2)', [['A', undefined]]],
  [
    'export A=1 "B=2"',
    [
      ['B', '2'],
      ['A', '1'],
    ],
  ],
  ['echo A=1', []],
  ['env PATH=/x ls', [['PATH', '/x']]],
  ['for PATH in /x; do ls; done', [['PATH', undefined]]],
  ['read -r PATH', [['PATH', undefined]]],
  ['printf -v PATH x', [['PATH', undefined]]],
  ['echo ${PATH:=/x}', [['PATH', '/x']]],
])('%s assigns', (text, expected) => {
  expect(analyzeScript(text).assignments.map(({ name, value }) => [name, value])).toEqual(expected)
})

it.each([
  ['> a', [['write', 'a']]],
  ['>| "a b"', [['write', 'a b']]],
  ['&> a', [['write', 'a']]],
  ['>& a', [['write', 'a']]],
  ['>> a', [['append', 'a']]],
  ['&>> a', [['append', 'a']]],
  ['<> a', [['both', 'a']]],
  ['< a', [['read', 'a']]],
  ['2>&1 >&- <&3', []],
  ['> $x', [['write', undefined]]],
  ['> ~/x', [['write', undefined]]],
  ['> *.ts', [['write', undefined]]],
  ['{fd}> a', [['write', 'a']]],
])('ls %s redirects', (redirect, expected) => {
  expect(analyzeScript(`ls ${redirect}`).redirects.map(({ mode, path }) => [mode, path])).toEqual(expected)
})

it('an analysis cannot be changed', () => {
  const analysis = analyzeScript('A=1 ls x > f; $x')
  for (const part of [
    analysis,
    analysis.commands,
    analysis.commands[0],
    analysis.commands[0]?.args,
    analysis.opaque[0],
  ])
    expect(Object.isFrozen(part)).toBe(true)
})

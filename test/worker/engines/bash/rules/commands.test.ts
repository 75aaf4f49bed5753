import { expect, it, test } from 'vitest'
import type { PolicyRules } from '../../../../../src/contract/policy-rules.ts'
import type { EngineShell } from '../../../../../worker/service/engine-shell.ts'
import { isFull } from '../../../../support/tier.ts'
import { openShell, run } from '../open-shell.ts'
import { file, openRuled, sentence } from './open-ruled.ts'

const files = [file('/work/a', '1\n'), file('/work/list', 'b\n')]
const open = (rules: PolicyRules | undefined, more: Parameters<typeof openRuled>[1] = {}) =>
  openRuled(rules, { files, ...more })

/** Each makes the file `b` by `touch`, and no other program does. */
const WAYS = [
  'touch b',
  '/bin/touch b',
  '/usr/bin/touch b',
  '/usr/../bin/./touch b',
  'x=touch; $x b',
  'x=/bin/touch; $x b',
  `x='touch b'; $x`,
  `'touch' b; "tou"ch b; to\\uch b`,
  '$(echo touch) b',
  '`printf tou``printf ch` b',
  '${none:-touch} b',
  '{touch,b}',
  "$'\\x74ouch' b",
  'command touch b',
  'command -p touch b',
  'command command touch b',
  'command -- touch b',
  'builtin command touch b',
  'exec touch b',
  'exec -- touch b',
  'x=exec; $x touch b',
  "eval 'touch b'",
  "x=eval; $x 'touch b'",
  "eval eval 'tou''ch b'",
  'f() { touch b; }; f',
  'f() { "$@"; }; f touch b',
  'ls() { touch b; }; ls',
  "shopt -s expand_aliases; alias ls='touch b'\nls",
  "shopt -s expand_aliases; alias x='touch '\nx b",
  'env touch b',
  'env -i touch b',
  'env X=1 touch b',
  'env env touch b',
  'nohup touch b',
  'nice -n 5 touch b',
  'stdbuf -o0 touch b',
  'timeout 5 touch b',
  'time touch b',
  '! touch b',
  'xargs touch < list',
  'echo b | xargs -n 1 touch',
  'echo b | xargs -I{} touch {}',
  "echo b | xargs sh -c 'touch $0'",
  'find a -exec touch b \\;',
  'find a -exec touch b {} +',
  'find a -execdir touch b \\;',
  "find a -exec sh -c 'touch b' \\;",
  "sh -c 'touch b'",
  "bash -ec 'touch b'",
  "bash <<< 'touch b'",
  'echo touch b | sh',
  'bash <(echo touch b)',
  'echo touch b > s; bash s',
  'echo touch b > s; . ./s',
  'echo touch b > s; source s',
  "source /dev/stdin <<< 'touch b'",
  '. <(echo touch b)',
  'echo touch b > s; chmod +x s; ./s',
  'echo touch b > s; chmod +x s; PATH=/work:$PATH s',
  'echo touch b > s; chmod +x s; x=./s; $x',
  "printf '#!/usr/bin/touch\\n' > b2; chmod +x b2; ./b2 b",
  "printf '#!/usr/bin/env touch\\n' > b2; chmod +x b2; ./b2 b",
  'cp /bin/touch x; chmod +x x; ./x b',
  'cat /bin/touch > x; chmod +x x; ./x b',
  'mv /bin/touch x; ./x b',
  'ln -s /bin/touch x; ./x b',
  'ln -s /bin/touch x; ln -s x y; ./y b',
  'ln -s /bin d; d/touch b',
  'ln -s /bin d; cd d; ./touch /work/b',
  'cd /; bin/touch work/b',
  "trap 'touch b' EXIT",
  "trap 'touch b' 0; exit 0",
  'bash -c \'trap "touch b" EXIT\'',
  'x=$(touch b)',
  'x=`touch b`',
  'echo ${x:=$(touch b)}',
  'echo "${x:-$(touch b)}"',
  'a[$(touch b; echo 1)]=1',
  'cat <<< $(touch b)',
  'cat <<E\n$(touch b)\nE',
  'cat <(touch b)',
  'echo > >(touch b)',
  'touch b | cat',
  'echo | touch b',
  'touch b & wait',
  '(touch b) &',
  '(touch b)',
  '{ touch b; }',
  'if touch b; then :; fi',
  'while touch b; do break; done',
  'for i in $(touch b); do :; done',
  'case $(touch b) in *) ;; esac',
  '[[ -z $(touch b) ]]',
  "compgen -C 'touch b'",
  "PS4='$(touch b)'; set -x; ls",
  "set -o posix; eval 'touch b'",
  '/usr/bin/__run /bin/touch b',
  'rm() { command touch b; }; rm',
  'awk \'BEGIN { system("touch b") }\'',
  'awk \'BEGIN { "touch b" | getline }\'',
  'awk \'BEGIN { print | "touch b" }\'',
  "sed '1e touch b' a",
  "sed 's/.*/touch b/e' a",
  'split --filter="touch b" a',
  'tar cf t.tar a; tar xf t.tar --to-command="touch b"',
  'tar cf t.tar a --checkpoint=1 --checkpoint-action=exec="touch b"',
  'sort --compress-program=touch a',
  "sqlite3 :memory: '.shell touch b'",
  "sqlite3 :memory: '.system touch b'",
  "rg --pre 'touch b' 1 a; rg --pre touch 1 a",
]

/** Programs that start others, and those that the ways need. */
const OTHERS =
  'ls cat env nohup nice stdbuf timeout xargs find bash sh chmod cp mv ln awk sed split tar sort sqlite3 rg s x y rm'.split(
    ' ',
  )

const makes = async (shell: EngineShell) => (await shell.readFile('/work/b')).ok

test.each<PolicyRules>([{ denied: ['touch'] }, { allowed: OTHERS }])(
  'whatever starts a program, it does not run under %j',
  async (rules) => {
    const shell = await open(rules)
    // In the default tier each way under one of the rules.
    for (const way of WAYS.filter((_, at) => isFull || (at % 2 === 0) === (rules.denied === undefined))) {
      await shell.runCode?.({ code: way, language: 'bash' })
      expect(await makes(shell), way).toBe(false)
      await run(shell, 'rm -rf s x y d b2; cat list')
    }
  },
)

it.runIf(isFull)(
  'in a session of its own, each way runs a program where there are no rules, or is unknown',
  async () => {
    let effective = 0
    for (const way of WAYS) {
      const [free, ruled] = [await open(undefined), await open({ allowed: OTHERS })]
      await run(free, way)
      await run(ruled, way)
      if (await makes(free)) effective += 1
      expect(await makes(ruled), way).toBe(false)
    }
    expect(effective).toBeGreaterThan(95)
  },
)

test('a refusal has the status 126 and one line, and the script goes on', async () => {
  const shell = await open({ denied: ['touch'] })
  const script = 'touch b; echo $?; touch b 2> e || cat e; touch b | cat; echo ${PIPESTATUS[0]}'
  expect(await run(shell, script)).toEqual([0, `126\n${sentence('touch')}126\n`, sentence('touch').repeat(2)])
  expect(await run(shell, 'set -e; touch b; echo on')).toEqual([126, '', sentence('touch')])
})

test('where one program is allowed, the shell itself is as usable as without rules', async () => {
  const script = `
    f() { local x=$1; shift; [ $# = 1 ] || return 3; echo "$x" "$@"; }
    declare -A m=([k]="v w"); a=(1 2 3); a+=(4); readonly R=1; export E=2; set -o pipefail; shopt -s nullglob
    for i in "\${a[@]}"; do ((i % 2)) && continue; f $i two; done
    while read -r line; do case $line in 1) echo one ;; *) echo other ;; esac; done < a
    until ! :; do break; done; if [[ a == a* && -f a ]]; then echo yes; else echo no; fi
    printf -v text '%s-' "\${a[*]}" "\${m[@]}"; echo "$text \${#m[@]} \${a[*]}" $((x = 5)) $x
    mapfile -t lines < list; echo "\${lines[0]}" "$(< list)" "$(cd / && pwd)"; pushd / > list2; popd > list2
    eval 'echo evaluated'; source /dev/stdin <<< 'echo sourced'; command echo c; builtin echo b; type -t ls cd f
    trap 'echo bye' EXIT; getopts a: o -a 1; echo $o $OPTARG; umask; let y=3; echo $y; true && ! false; echo $?
    { echo g; (echo s); } | { read -r one; read -r two; echo $one$two; }; echo job & wait; unset text; alias q=r
    cat <<E
\${a[0]}
E
    ls | head -1; echo \${PIPESTATUS[*]}; exec 3< a; read -r -u 3 t; echo $t; set -- p q; shift; echo $1`
  const ruled = await open({ allowed: ['ls', 'cat', 'head'] })
  const said = await run(ruled, script)
  expect(said).toEqual([0, expect.stringContaining('bye'), ''])
  expect(said).toEqual(await run(await open(undefined), script))
  expect(await run(ruled, 'grep 1 a; echo $?; sort a')).toEqual([
    126,
    '126\n',
    sentence('grep') + sentence('sort'),
  ])
})

test('a builtin is refused where it is denied, by each of its names, and nothing that stands for it runs', async () => {
  for (const [name, script] of [
    ['printf', 'printf x'],
    ['eval', "eval 'echo on'"],
    ['eval', '/usr/bin/__eval echo on; true'],
    ['exec', 'exec echo on'],
    ['source', 'source <(echo echo on)'],
    ['source', 'source /dev/stdin <<< "echo on"'],
    ['echo', 'echo on'],
    ['echo', "echo -e '\\x6f'"],
    ['wait', 'wait'],
    ['declare', 'f() { :; }; declare -f f'],
    ['declare', 'declare -a l=(1)'],
    ['trap', "trap 'printf on' EXIT"],
    ['command', 'command ls'],
    ['test', 'test -f a'],
    ['read', 'read x < a'],
    ['cd', 'cd /'],
    ['cd', 'builtin cd /'],
    ['cd', 'x=cd; $x /'],
  ] as const) {
    const [, stdout, stderr] = await run(await open({ denied: [name] }), script)
    expect([script, stdout, stderr]).toEqual([script, '', sentence(name)])
  }
  const shell = await open({ denied: ['source', '[', 'bash', 'mapfile'] })
  for (const script of ['. ./a', 'test a', 'sh a', 'readarray l < a'])
    expect([script, (await run(shell, script))[0]]).toEqual([script, 126])
})

test('what a script that is rewritten does for itself is no command of the script', async () => {
  const script =
    'a=(1 2); x="${a[*]}"; i=1; echo "p ${a[*]}" $i $((i = 2)) $i; { head -1; head -1; } < list; echo -n e'
  const names = ['printf', 'set', 'unset', 'test', 'trap', 'read', 'declare', 'exit', ':', 'cat', 'local']
  expect(await run(await open({ denied: names }), script)).toEqual(await run(await open(undefined), script))
  // Nor is it a way for others.
  const aliased = `shopt -s expand_aliases; alias printf='touch b' :='touch b' unset='touch b' test='touch b'\n${script}`
  const shell = await open({ denied: ['touch'] })
  await run(shell, aliased)
  expect(await makes(shell)).toBe(false)
})

test('a program is known by what it is, a file by its path, its name, and where it leads', async () => {
  const scripts = { files: [...files, file('/work/s', 'echo ran\n'), file('/opt/deny', 'echo ran\n')] }
  const make = 'chmod +x s /opt/deny; ln -s /opt/deny l; cp /bin/cat mycat; cp s t; cp s cat2; '
  const ruled = async (rules: PolicyRules, script: string) => {
    const shell = await open(rules, { ...scripts, init: make })
    return (await run(shell, script))[0]
  }
  expect(await ruled({ allowed: ['cat'] }, './mycat a')).toBe(0)
  expect(await ruled({ allowed: ['/bin/cat'] }, 'cat a && /usr/bin/cat a')).toBe(0)
  expect(await ruled({ denied: ['/bin/cat'] }, 'cat a')).toBe(126)
  expect(await ruled({ allowed: ['mycat'] }, './mycat a')).toBe(126)
  expect(await ruled({ allowed: ['/work/s'] }, './s')).toBe(0)
  expect(await ruled({ allowed: ['s'] }, './s; PATH=/work:$PATH s')).toBe(0)
  expect(await ruled({ allowed: ['/work/s'] }, './t')).toBe(126)
  expect(await ruled({ denied: ['/opt/deny'] }, './l')).toBe(126)
  expect(await ruled({ denied: ['/opt/deny'] }, 'PATH=/opt:$PATH deny')).toBe(126)
  expect(await ruled({ denied: ['deny'] }, './l')).toBe(126)
  expect(await ruled({ denied: ['bash'] }, './s')).toBe(126)
  expect(await ruled({ denied: ['t'] }, './s')).toBe(0)
})

test('functions of the caller are programs', async () => {
  const commands = [{ name: 'mail', description: 'mail', help: 'mail' }]
  const caller = {
    output: () => undefined,
    egress: () => undefined,
    command: async () => ({ exitCode: 0, stdout: Buffer.from('sent'), stderr: new Uint8Array() }),
  }
  const said = async (rules: PolicyRules, script: string) => {
    const shell = await openShell({ commands, rules }, undefined, { caller })
    return run(shell, script)
  }
  expect(await said({ denied: ['mail'] }, 'echo | xargs mail')).toEqual([126, '', sentence('mail')])
  expect(await said({ allowed: ['ls'] }, 'mail')).toEqual([126, '', sentence('mail')])
  expect(await said({ allowed: ['mail'] }, 'mail')).toEqual([0, 'sent', ''])
})

test('code runs by the program of its language, and each command of it is asked for', async () => {
  const shell = await open({ allowed: ['ls', 'awk'] })
  const code = async (language: string, text: string) => {
    const outcome = await shell.runCode?.({ code: text, language })
    return outcome?.ok ? [outcome.value.exitCode, outcome.value.stdout, outcome.value.stderr] : outcome
  }
  expect(await code('bash', 'ls a; touch b')).toEqual([126, 'a\n', sentence('touch')])
  expect(await code('awk', 'BEGIN { system("touch b"); print 1 }')).toEqual([0, '1\n', sentence('touch')])
  expect(await code('jq', '1')).toEqual([126, '', sentence('jq')])
  const denied = await open({ denied: ['bash'] })
  expect(await denied.runCode?.({ code: 'ls', language: 'sh' })).toMatchObject({ value: { exitCode: 126 } })
})

test('what the session begins with is not asked for', async () => {
  const shell = await open({ allowed: ['ls'] }, { init: 'touch b; f() { touch c; }' })
  expect(await run(shell, 'f; ls')).toEqual([0, 'a\nb\nlist\n', sentence('touch')])
})

test('a record whose rules are none is refused, and says which', async () => {
  for (const [rules, field] of [
    [{ allowed: 'ls' }, 'rules.allowed'],
    [{ denied: [1] }, 'rules.denied[0]'],
    [{ denied: ['ls', ''] }, 'rules.denied[1]'],
    [{ denied: ['bin/ls'] }, 'rules.denied[0]'],
    [{ protectedPaths: ['etc'] }, 'rules.protectedPaths[0]'],
    [{ protectedPaths: ['/a/../b'] }, 'rules.protectedPaths[0]'],
    [{ writablePaths: ['/a/'] }, 'rules.writablePaths[0]'],
    [{ allow: [] }, 'rules.allow'],
  ] as const) {
    const wrong: PolicyRules = JSON.parse(JSON.stringify(rules))
    await expect(openShell({ rules: wrong })).rejects.toMatchObject({
      data: { code: 'INVALID_CONFIG', field },
    })
  }
})

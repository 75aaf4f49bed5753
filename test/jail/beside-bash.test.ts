import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

/** Scripts of which the machine's bash and a jail give the same. */
const scripts = [
  'echo a; echo b >&2; exit 3',
  'nosuch',
  '\n\nnosuch; echo $LINENO',
  'if',
  'echo a\n)',
  'echo "open',
  'x=(1 2',
  '[[ a =',
  'case x in',
  'cat <<E\nhere\nE\ncat <<<"$(printf x)"',
  'eval ")"; echo next',
  'return 3; echo on',
  'break; echo $?',
  'local x=1',
  'f() { local x=1; return 4; }; f; echo $?',
  'set -e; false; echo never',
  'set -e; (exit 4) || echo caught; (exit 5)',
  'set -o pipefail; false | true',
  'readonly r=1; r=2; echo after',
  `declare -A m=([a]=1 [b]=2); echo \${m[b]} \${#m[@]}`,
  'trap "echo bye $?" EXIT; echo set',
  'trap "echo bye" EXIT; exit 3',
  'trap "echo bye; exit 7" EXIT; exit 3',
  'set -e; trap "echo cleaned" EXIT; false; echo never',
  'trap "echo in" EXIT; (trap "echo sub" EXIT; exit 1); echo $?',
  "trap 'echo it''s' EXIT; trap -p EXIT",
  'trap "echo err $LINENO" ERR; false; true',
  'trap',
  'trap "echo usr" USR1; kill -USR1 $$; echo on',
  'trap "" TERM; trap; trap - TERM; trap',
  'kill -TERM $$',
  'kill -9 $BASHPID',
  `ls /nonexistent | wc -l; echo \${PIPESTATUS[@]}`,
  'cd /nonexistent',
  'echo $((1 / 0)); echo x',
  'shopt -s extglob\necho @(a|b) /usr/bin/@(env|sh)',
  'shopt -s expand_aliases\nalias ll="echo aliased"\nll',
  'printf "%s|" "$@" "$#" "$0"',
  'cat',
  'read -r line; echo "[$line]" $?',
  'exec 3>/tmp/beside; echo x >&3; exec 3>&-; cat /tmp/beside; rm /tmp/beside',
  'exec echo replaced',
  'sleep 0.01 & wait $!; echo $?',
  '(exit 9) & wait $!; echo $?',
  `coproc cat; echo hi >&\${COPROC[1]}; read -r x <&\${COPROC[0]}; echo $x`,
  'diff <(echo a) <(echo b)',
  'for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done',
  'select x in a; do break; done </dev/null',
  'printf "\\xff\\xfe" | od -c',
  'echo -n; printf ""',
  'unset PATH; ls',
  'umask 077; umask; ulimit -c 0; ulimit -c',
  'IFS=0123456789; (exit 130)',
  'command -v cd echo nosuch; type -t if',
  'x=5 bash -c "echo \\$x"; echo $x',
  `echo {1..3}{a,b} ~root "\${x:-dflt}"`,
  'set -f; echo *; set -- a b; echo $2',
  'exit',
  '',
  '#',
  ':; # no more',
] as const

/** Those that are the same only where they run in the session's own shell. */
const ofSession = scripts.filter((script) => /\b(?:trap|exit|set -e|exec|kill)\b/.test(script))

/** What bash gives. */
function bash(script: string) {
  const { status, signal, stdout, stderr } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/home/user' },
    input: '',
    cwd: '/usr',
  })
  return { exitCode: status ?? 128 + (signal === null ? 0 : constants.signals[signal]), stdout, stderr }
}

const FRESH = 'bash: the shell has ended without its state: variables and functions begin afresh\n'

describe.skipIf(noJails !== undefined)('a command in a jail', () => {
  let sandbox: JailSandbox
  beforeAll(async () => {
    sandbox = await JailSandbox.open()
  })
  afterAll(() => sandbox.close())

  it.each(scripts.filter((script) => !script.includes('$$')))(
    'gives what bash gives, scoped: %j',
    async (script) => {
      const { exitCode, stdout, stderr } = await sandbox.execute(script, { cwd: '/usr' })
      expect({ exitCode, stdout, stderr }).toEqual(bash(script))
    },
  )

  it.each(ofSession)('gives what bash gives, in the session: %j', async (script) => {
    await sandbox.execute('set +e +f; set --; umask 022; trap - ERR TERM USR1; cd /usr')
    const { exitCode, stdout, stderr } = await sandbox.execute(script)
    expect({ exitCode, stdout, stderr: stderr.replace(FRESH, '') }).toEqual(bash(script))
  })

  it('opens its output by name, as pipes can be', async () => {
    const { stdout, stderr } = await sandbox.execute('echo out >/dev/stdout; echo err >/dev/stderr')
    expect([stdout, stderr]).toEqual(['out\n', 'err\n'])
  })
})

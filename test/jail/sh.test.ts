import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

/** Scripts of which the machine's sh and a jail give the same. */
const scripts = [
  'echo a; echo b >&2; exit 3',
  'echo "a',
  'if',
  'echo a)',
  '[[ a = a ]]; echo $?',
  'return 3; echo on',
  'break; echo $?',
  'set -e; false; echo never',
  'set -u; echo "$none"; echo never',
  'readonly r=1; r=2; echo after',
  'trap "echo bye $?" EXIT; echo set',
  'trap "echo bye" EXIT; exit 3',
  `trap 'echo "it'"'"'s"' EXIT`,
  'cat',
  'cat <<E\nhere $((1 + 1))\nE',
  'exec 3>/tmp/beside-sh; echo x >&3; exec 3>&-; cat /tmp/beside-sh; rm /tmp/beside-sh',
  'exec echo replaced',
  'kill -9 $$',
  'sleep 0.01 & wait $!; echo $?',
  'printf "%s|" "$@" "$#"',
  'umask 077; umask',
  '',
] as const

/** What sh gives. */
function sh(script: string) {
  const { status, signal, stdout, stderr } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/home/user' },
    input: '',
    cwd: '/usr',
  })
  return { exitCode: status ?? 128 + (signal === null ? 0 : constants.signals[signal]), stdout, stderr }
}

const FUNCTIONS = 'sh: the shell has ended: functions begin afresh\n'
const FRESH = 'sh: the shell has ended without its state: variables and functions begin afresh\n'

describe.skipIf(noJails !== undefined)('sh in a jail', () => {
  let sandbox: JailSandbox
  beforeAll(async () => {
    sandbox = await JailSandbox.open({ interpreter: 'sh', timeout: 5, limits: { maxOutput: 1000 } })
  })
  afterAll(() => sandbox.close())

  it.each(scripts)('gives what sh gives: %j', async (script) => {
    await sandbox.execute('set +eu; set --; umask 022; trap - EXIT; cd /usr')
    const { exitCode, stdout, stderr } = await sandbox.execute(script)
    expect({ exitCode, stdout, stderr: stderr.replace(FUNCTIONS, '').replace(FRESH, '') }).toEqual(sh(script))
  })

  it('keeps its state from command to command', async () => {
    await sandbox.execute(`cd /tmp; x="a'b"; f() { echo "f $1"; }; alias say=echo; set -- one 'two 2'; false`)
    expect(await sandbox.execute('echo $? "$x" "$2"; f 1; say hi; pwd')).toMatchObject({
      stdout: "1 a'b two 2\nf 1\nhi\n/tmp\n",
      stderr: '',
    })
  })

  it('keeps all but its functions where a command exits, and says so', async () => {
    await sandbox.execute(
      `cd /tmp; x='a  b\n'"'c"; export y=2; readonly z${process.pid}=3; f() { :; }; alias say=echo; umask 027`,
    )
    await sandbox.execute(`set -f -- one 'two "2"' '$x'`)
    expect(await sandbox.execute('exit 7')).toMatchObject({ exitCode: 7, stderr: FUNCTIONS })
    const { stdout, stderr } = await sandbox.execute(
      `echo "$x|$2|$3|$#"; sh -c 'echo $y'; say hi; umask; pwd; echo *; (z${process.pid}=4) || echo fixed; f`,
    )
    expect(stdout).toBe(`a  b\n'c|two "2"|$x|3\n2\nhi\n0027\n/tmp\n*\nfixed\n`)
    expect(stderr).toMatch(/is read only\n.*f: not found\n$/s)
    await sandbox.execute('set +f; unalias say; umask 022')
  })

  it.each(['while :; do :; done', 'sleep 100', 'sleep 100 | cat', 'read line; sleep 100'])(
    'keeps variables where a command is stopped: %s',
    async (command) => {
      await sandbox.execute('kept=1')
      await expect(sandbox.execute(`new=2; ${command}`, { timeout: 0.3 })).rejects.toMatchObject({
        code: 'TIMEOUT',
      })
      expect((await sandbox.execute('echo $kept $new')).stdout).toBe('1 2\n')
      expect(sandbox.generation).toBe(1)
    },
  )

  it('runs scoped commands, and reads and sets variables', async () => {
    const scope = { cwd: '/usr', env: { SCOPED: "it's" } }
    expect((await sandbox.execute('pwd; echo "$SCOPED"; exit 2', scope)).stdout).toBe("/usr\nit's\n")
    expect(await sandbox.execute('pwd', { cwd: '/none' })).toMatchObject({
      exitCode: 1,
      stderr: 'sh: cd: /none: No such file or directory\n',
    })
    await sandbox.setEnv('SET', 'a $b')
    expect((await sandbox.execute(`sh -c 'echo "$SET"'; echo "[$SCOPED]"`)).stdout).toBe('a $b\n[]\n')
    expect(await sandbox.getEnv('SET')).toBe('a $b')
    expect((await sandbox.execute('cat; wc -c <file', { stdin: 'in\n', cwd: '/tmp' })).stdout).toContain(
      'in\n',
    )
    expect((await sandbox.execute('head -c 5000 /dev/zero | tr "\\0" x')).stderr).toBe(
      'sh: stdout truncated: kept 1000 of 5000 bytes (limits.maxOutput)\n',
    )
  })
})

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ShellHost, type StrandsShellSandbox } from '../../../../../src/index.ts'

const host = new ShellHost({ isolation: 'worker' })
let sandbox: StrandsShellSandbox
beforeEach(async () => {
  sandbox = await host.open({ timeout: 30 })
})
afterEach(() => sandbox.close())
afterAll(() => host.close())

const ENDED = 'strands-shell: timeout: the command was ended: what it had printed is lost\n'
const LATE = 'strands-shell: timeout: the command could not be ended here, and ran to its end\n'

/** A command with `timeout`, and what it prints. */
const RUNS: readonly (readonly [command: string, stdout: string, stderr?: string])[] = [
  ['timeout 5 echo a b; timeout 5 false; echo $?', 'a b\n1\n'],
  ["timeout 5 bash -c 'echo $1; exit 3' n x || echo $?", 'x\n3\n'],
  ['A=1 timeout 5 env B=2 printenv A B', '1\n2\n'],
  ['timeout 5 cat <<E\na $HOME\nE', 'a /home/lash\n'],
  ["printf 'a\\nb\\n' | timeout 5 sort -r | head -1", 'b\n'],
  ['printf \'a\\nb\\n\' | while read -r x; do timeout 5 echo "$x"; done', 'a\nb\n'],
  ['if timeout 5 false; then echo yes; else echo "no $?"; fi', 'no 1\n'],
  ['x=$(timeout 5 echo a) && echo "[$x]"; f() { timeout 5 "$@"; }; f echo b', '[a]\nb\n'],
  ['timeout 5 ls > /tmp/o; timeout 5 nosuch 2> /tmp/e; echo $?; wc -l < /tmp/e', '127\n1\n'],
  ['for i in 1 2 3 4 5 6 7 8 9 10; do timeout 5 true; done; echo $?', '0\n'],
  [
    'timeout 0.1 sleep 20 || echo $?; timeout .1s sleep 1m; echo $?; timeout 1m sleep 0.01; echo $?',
    '124\n124\n0\n',
  ],
  [
    'if timeout 0.1 sleep 20; then echo yes; else echo $?; fi; x=$(timeout 0.1 sleep 20); echo $?',
    '124\n124\n',
  ],
  [
    'timeout -s KILL 0.1 sleep 20; echo $?; timeout --preserve-status -k 1 0.1 sleep 20; echo $?',
    '137\n143\n',
  ],
  ["set -e; timeout 0.1 bash -c 'sleep 20' || echo $?; timeout 0.1 sleep 20; echo no", '124\n', ENDED],
  ["T=1; timeout $T bash -c 'while :; do :; done'; echo $?", '124\n', ENDED],
  ["timeout 0.1 bash -c 'echo a; sleep 0.3' | cat", 'a\n', LATE],
  ["timeout 0.5 lua -e 'local t = os.time() while os.time() < t + 3 do end' || echo $?", '124\n', ENDED],
]

describe('timeout', () => {
  it.each(RUNS)('%s', async (...[command = '', stdout, stderr]) => {
    const { stdout: printed, stderr: messages } = await sandbox.execute(command)
    expect({ printed, messages }).toEqual({ printed: stdout, messages: stderr ?? '' })
  })

  it('ends what it has begun', async () => {
    await sandbox.execute("echo 'sleep 0.4; echo late > /tmp/late' > /tmp/s")
    const { stdout } = await sandbox.execute(
      'timeout 0.1 sh /tmp/s; echo $?; sleep 0.6; [ -e /tmp/late ] || echo none',
    )
    expect(stdout).toBe('124\nnone\n')
  })

  it('leaves no job behind that counts', async () => {
    for (let turn = 0; turn < 9; turn++) await sandbox.execute("timeout 0.01 bash -c 'sleep 9'")
    expect((await sandbox.execute('sleep 9 & echo $?')).stdout).toBe('0\n')
    for (let turn = 0; turn < 9; turn++) await sandbox.execute('sleep 9 &')
    expect((await sandbox.execute('echo a | { cat; }')).stdout).toBe('a\n')
  })

  it('is within the limit of the call', async () => {
    await using short = await host.open({ timeout: 1 })
    const { exitCode, timedOut } = await short.execute('timeout 20 sleep 20; echo no')
    expect({ exitCode, timedOut }).toEqual({ exitCode: 124, timedOut: true })
  })
})

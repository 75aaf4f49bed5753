import { beforeAll, expect, test } from 'vitest'
import { freshLimits, openShell, run } from './open-shell.ts'

beforeAll(async () => {
  // What just-bash loads late is not part of any command's time.
  await run(await openShell(), 'echo x | awk 1 | sed p | jq -R . | xargs')
})

const ENDLESS = [
  'while :; do :; done',
  'for ((;;)); do x=y; done',
  "awk 'BEGIN { while (1) i++ }'",
  "echo x | sed ':a;ba'",
  "jq -n '[limit(100000000; repeat(1))] | length'",
  'sleep 60',
  'f() { while :; do :; done; }; x=$(f)',
  "bash -c 'while :; do :; done'",
  "echo a | xargs -I{} bash -c 'while :; do :; done'",
]

for (const command of ENDLESS)
  test(`ends at the deadline, and the session lives: ${command}`, async () => {
    const shell = await openShell({ timeout: 0.5 })
    await run(shell, 'kept=1; echo file > kept')
    const [exitCode, , stderr] = await run(shell, command)
    expect([exitCode, stderr.split('\n').at(-2)]).toEqual([124, 'bash: stopped after 0.5 s'])
    expect(await run(shell, 'echo $kept; cat kept')).toEqual([0, '1\nfile\n', ''])
  })

/** What sets variables before it is stopped. */
const SETTING = [
  'x=5; a=(1 2); sleep 60',
  'x=5; a=(1 2); while :; do :; done',
  'x=5 a=(1 2); f() { while :; do :; done; }; f; x=no',
  "x=5 a=(1 2); awk 'BEGIN { while (1) i++ }'; x=no",
  'x=5 a=(1 2); y=$(while :; do :; done); x=no',
  "x=5 a=(1 2); bash -c 'while :; do :; done'; x=no",
  'x=5; a=(1 2); while :; do :; done | cat; x=no',
]

for (const command of SETTING)
  test(`keeps what a command had set when it is stopped: ${command}`, async () => {
    const shell = await openShell({ timeout: 0.5 })
    const [exitCode] = await run(shell, command)
    expect(exitCode).toBe(124)
    expect(await run(shell, 'echo $x ${a[1]}')).toEqual([0, '5 2\n', ''])
  })

test('ends when the host interrupts it', async () => {
  let interrupted = false
  const shell = await openShell({ timeout: 20 }, () => interrupted)
  interrupted = true
  const [exitCode, , stderr] = await run(shell, 'while :; do :; done')
  interrupted = false
  expect([exitCode, stderr]).toEqual([130, 'bash: stopped\n'])
  expect(await run(shell, 'echo on')).toEqual([0, 'on\n', ''])
})

test('ends a command that waits when it is interrupted', async () => {
  const shell = await openShell()
  const running = run(shell, 'sleep 15; echo no')
  setTimeout(() => shell.interrupt?.(), 20)
  const [exitCode, stdout] = await running
  expect([exitCode, stdout]).toEqual([130, ''])
})

const GROWING: readonly (readonly [command: string, message: RegExp])[] = [
  ['x=aaaaaaaa; while [ ${#x} -lt 300000000 ]; do x=$x$x; done', /string length limit/],
  [`awk 'BEGIN { s = "aaaaaaaa"; while (1) s = s s }'`, /fit here|size limit/],
  ['f() { f; }; f', /recursion depth/],
]

for (const [command, message] of GROWING)
  test(`ends in a message, and the session lives: ${command}`, async () => {
    const shell = await openShell({ limits: { ...freshLimits, maxMemory: 64 * 1024 * 1024 } })
    const [exitCode, , stderr] = await run(shell, command)
    expect(exitCode).not.toBe(0)
    expect(stderr).toMatch(message)
    expect(await run(shell, 'echo on')).toEqual([0, 'on\n', ''])
  })

test('cuts output at maxOutput and says so', async () => {
  const shell = await openShell({ limits: { ...freshLimits, maxOutput: 10 } })
  expect(await run(shell, 'echo 0123456789abc')).toEqual([
    0,
    '0123456789',
    'bash: stdout truncated: kept 10 of 14 bytes (limits.maxOutput)\n',
  ])
})

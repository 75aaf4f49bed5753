import { expect, test } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { SandboxError, ShellHost } from '../../src/index.ts'
import { byTier } from '../support/tier.ts'

/** What crashes, hangs or fills an engine, each in one command. */
const KILLERS = [
  'x=aaaaaaaa; while :; do x=$x$x; done',
  'f() { local x=$1$1; f "$x"; }; f aaaaaaaa',
  'a=(1); while :; do a+=("${a[@]}"); done',
  'printf "%2000000000s" x',
  'echo {1..100000000}',
  "awk 'BEGIN { while (1) a[i++] = i }'",
  'echo a | sed ":a;G;h;ba"',
  "jq -n 'def f: [f]; f'",
  ':(){ :|:& };:',
]

/** The same ways again, by other constructs. */
const MORE_KILLERS = [
  'while :; do :; done',
  'x=aaaaaaaa; while :; do x=$(cat <<E\n$x$x\nE\n); done',
  'awk \'BEGIN { s = "a"; while (1) s = s s }\'',
  'yes | head -n 1',
  'jq -n \'"a" | until(false; . + .)\'',
  'set -- a; while :; do set -- "$@" "$@"; done',
]

const mebibyte = 2 ** 20
const timeout = byTier({ default: 1, full: 2 })

test('growing and endless scripts end as a result or a typed error, and the neighbours live', {
  timeout: 300_000,
}, async () => {
  const host = new ShellHost({ isolation: 'worker' })
  try {
    const neighbour = await BashSandbox.open({}, { host })
    await neighbour.execute('kept=1')
    for (const script of byTier({ default: KILLERS, full: [...KILLERS, ...MORE_KILLERS] })) {
      const sandbox = await BashSandbox.open({ timeout, limits: { maxMemory: 64 * mebibyte } }, { host })
      const end = await sandbox.execute(script).catch((error: unknown) => error)
      expect(
        end instanceof SandboxError || (typeof end === 'object' && end !== null && 'exitCode' in end),
        script,
      ).toBe(true)
      expect((await sandbox.execute('echo on')).stdout, script).toBe('on\n')
      await sandbox.close()
    }
    expect((await neighbour.execute('echo $kept')).stdout).toBe('1\n')
  } finally {
    await host.close()
  }
})

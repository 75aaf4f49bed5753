import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { byTier } from '../../../../support/tier.ts'
import { random } from '../mirror/effects-grammar.ts'
import { bash, inBash } from './in-bash.ts'
import { randomScript } from './random-script.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

const REFUSED = /^strands-shell: (?:.* is not available here: .*|division by 0)$/m

/** The last message of a script that bash has ended. */
const UNSET = /(?:unbound variable|: nope: .*)\n$/

const FIRST_SEED = 5000

it(
  'a generated script prints and answers what it does in bash, or is refused with status 2 and a line',
  async () => {
    const others: unknown[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + byTier({ default: 20, full: 2000 }); seed++) {
      const script = randomScript(random(seed))
      await using sandbox = await host.open({ timeout: 20 })
      const { exitCode, stdout, stderr } = await sandbox.execute(script)
      const expected = inBash(script)
      if (exitCode === expected.exitCode && stdout === expected.stdout) continue
      if (exitCode === 2 && REFUSED.test(stderr)) continue
      // A subshell that divides by zero ends alone, with the line.
      if (/^strands-shell: division by 0$/m.test(stderr)) continue
      others.push({ seed, script, expected, exitCode, stdout, stderr })
    }
    expect(others).toEqual([])
  },
  byTier({ default: 120_000, full: 1_800_000 }),
)

it(
  'a generated script with set -u ends where bash ends it, with status 2',
  async () => {
    const others: unknown[] = []
    let ended = 0
    for (let seed = 0; seed < byTier({ default: 15, full: 1500 }); seed++) {
      const script = randomScript(random(seed), { unset: true })
      await using sandbox = await host.open({ timeout: 20 })
      const { exitCode, stdout, stderr } = await sandbox.execute(script)
      if (REFUSED.test(stderr)) continue
      const expected = bash(script)
      // Under `set -e` or in a test bash says 1.
      const isEnded = UNSET.test(expected.stderr) && (expected.exitCode === 127 || expected.exitCode === 1)
      if (isEnded) ended++
      if (stdout === expected.stdout && exitCode === (isEnded ? 2 : expected.exitCode)) continue
      others.push({ seed, script, expected, exitCode, stdout, stderr })
    }
    expect(others).toEqual([])
    expect(ended).toBeGreaterThan(5)
  },
  byTier({ default: 120_000, full: 1_800_000 }),
)

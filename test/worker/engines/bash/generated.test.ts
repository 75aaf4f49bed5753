import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { byTier } from '../../../support/tier.ts'
import { BASH, inBash, inEngine } from './support/beside-bash.ts'
import { generateScript } from './support/generate.ts'
import { KNOWN_DIFFERENCES, REFUSALS } from './support/known-differences.ts'

const FIRST = Number(process.env['BASH_SEED'] ?? '1')

// A generated script may wait for input that never comes, in bash as well: such ones count as skipped.
test.skipIf(!existsSync(BASH))(
  'does what bash does with generated scripts, or says that it does not',
  { timeout: 600_000 },
  async () => {
    const wrong: unknown[] = []
    const count = { compared: 0, refused: 0, skipped: 0 }
    for (let seed = FIRST; count.compared < byTier({ default: 15, full: 750 }); seed += 1) {
      const script = generateScript(seed)
      const own = script.slice(script.indexOf('\ng() {'))
      const known = KNOWN_DIFFERENCES.some(([construct]) => construct.test(own))
      const expected = known ? undefined : inBash(script)
      if (expected === undefined || expected.exitCode === null) {
        count.skipped += 1
        continue
      }
      count.compared += 1
      const { stderr, ...result } = await inEngine(script)
      if (result.stdout === expected.stdout && result.exitCode === expected.exitCode) continue
      if (REFUSALS.test(stderr)) count.refused += 1
      else wrong.push({ seed, own, expected, result, stderr })
    }
    console.info('generated scripts', count)
    expect(wrong).toEqual([])
  },
)

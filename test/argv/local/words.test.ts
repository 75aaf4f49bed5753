import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cases } from '../../support/tier.ts'
import { localSandbox } from '../helpers.ts'
import { anyWords, printed, printing } from '../words.ts'

it('any words reach a local program as they are', async () => {
  const sandbox = localSandbox()
  await fc.assert(
    fc.asyncProperty(anyWords, async (words) => {
      expect(await sandbox.exec(printing(words))).toMatchObject({ output: printed(words), exitCode: 0 })
    }),
    { numRuns: cases(50) },
  )
})

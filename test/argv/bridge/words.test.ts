import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BridgedSandbox } from '../../../src/argv/bridge/bridged-sandbox.ts'
import { ArgvBridge } from '../../../src/argv/index.ts'
import { cases } from '../../support/tier.ts'
import { anyWords, printed, printing } from '../words.ts'
import { shellSandbox, strandsSandbox } from './sandboxes.ts'

const sandboxes: readonly [string, () => BridgedSandbox][] = [
  ['Strands Shell', strandsSandbox],
  ['a sandbox of sh', shellSandbox],
]

it.each(sandboxes)('any words reach a program of %s as they are', async (_, open) => {
  const bridge = await ArgvBridge.open(open())
  await fc.assert(
    fc.asyncProperty(anyWords, async (words) => {
      expect(await bridge.exec(printing(words))).toMatchObject({ output: printed(words), exitCode: 0 })
    }),
    { numRuns: cases(50) },
  )
})

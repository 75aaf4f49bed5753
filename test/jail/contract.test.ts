import { afterAll, describe } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { describeContract } from '../sandbox/contract.ts'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'

describe.skipIf(noJails !== undefined)('a jail', () => {
  if (isFull) describeContract('JailSandbox', { open: () => JailSandbox.open() })
  else {
    // In the default tier all statements share a jail: each has a directory of its own, and starts no jail.
    const jail = new JailSandbox()
    afterAll(() => jail.close())
    describeContract('JailSandbox', { open: () => jail, close: () => undefined })
  }
})

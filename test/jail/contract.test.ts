import { describe } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { describeContract, sharedByTier } from '../sandbox/contract.ts'
import { noJails } from '../support/jail.ts'

describe.skipIf(noJails !== undefined)('a jail', () => {
  describeContract('JailSandbox', sharedByTier({ open: () => JailSandbox.open() }))
})

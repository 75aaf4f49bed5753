import { BashSandbox } from '../../src/bash/index.ts'
import { describeContract } from '../sandbox/contract.ts'
import { allLevels } from '../support/describe-engines.ts'

for (const isolation of allLevels) {
  describeContract(`bash, ${isolation}`, { open: () => BashSandbox.open({ isolation }) })
}

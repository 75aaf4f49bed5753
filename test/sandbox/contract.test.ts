import { StrandsShellSandbox } from '../../src/index.ts'
import { backends } from '../strands-shell/support/backend.ts'
import { describeContract } from './contract.ts'

for (const { name } of backends) {
  describeContract(name, { open: () => StrandsShellSandbox.open({ isolation: name }) })
}

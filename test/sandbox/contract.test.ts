import { allLevels } from '../support/describe-engines.ts'
import { engines } from '../support/engines.ts'
import { describeContract } from './contract.ts'

for (const { name, openStatic, levels = allLevels } of engines) {
  for (const isolation of levels) {
    describeContract(`${name}, ${isolation}`, { open: () => openStatic({ isolation }) })
  }
}

import { suiteHost } from '../faults/helpers.ts'
import { allLevels } from '../support/describe-engines.ts'
import { engines } from '../support/engines.ts'
import { isFull } from '../support/tier.ts'
import { describeContract, sharedByTier } from './contract.ts'

// In the default tier each engine keeps each statement at one level, and each level has its share of the statements.
for (const { name, openStatic, levels = allLevels } of engines) {
  for (const [turn, isolation] of levels.entries()) {
    const host = suiteHost({ isolation })
    describeContract(
      `${name}, ${isolation}`,
      sharedByTier({ open: () => openStatic({}, { host }) }),
      (index) => isFull || index % levels.length === turn,
    )
  }
}

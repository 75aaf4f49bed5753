import { describeEngines } from '../support/describe-engines.ts'
import { cases } from '../support/tier.ts'
import { describeRoundTrips } from './round-trip.ts'

describeEngines('a hosted sandbox', ({ name, isolation, capabilities, open }) => {
  const opened = async () => {
    const sandbox = await open()
    await sandbox.execute('mkdir /tmp/names')
    return { sandbox, directory: '/tmp/names' }
  }
  // Each operation on a file of a jail starts programs.
  describeRoundTrips(`${name}, ${isolation}`, opened, cases(capabilities.ofMachine ? 20 : 100))
})

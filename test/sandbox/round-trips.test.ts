import { backends } from '../strands-shell/support/backend.ts'
import { describeRoundTrips } from './round-trip.ts'

for (const { name, open } of backends) {
  const opened = async () => {
    const sandbox = await open()
    await sandbox.execute('mkdir /tmp/names')
    return { sandbox, directory: '/tmp/names' }
  }
  describeRoundTrips(name, opened, 200)
}

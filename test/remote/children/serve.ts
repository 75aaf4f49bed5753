// A service in a process of its own: its options are the JSON of the first argument. Prints its address.
import { serve } from '../../../src/service/index.ts'

const service = await serve({
  ...JSON.parse(process.argv[2] ?? '{}'),
  log: (line: string) => process.stderr.write(`${line}\n`),
})
process.stdout.write(`${service.url}\n`)
process.once('SIGTERM', () => void service.close({ grace: 5 }))

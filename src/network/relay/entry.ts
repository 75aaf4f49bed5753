import { startRelay } from './relay.ts'

const [port = '', socketPath = ''] = process.argv.slice(2)
await startRelay(Number(port), socketPath)
process.stdout.write('ready\n')

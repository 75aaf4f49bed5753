import { directoryStore, ShellHost } from '../../../src/index.ts'

// Nothing keeps this process alive but what it awaits.
const [path = ''] = process.argv.slice(2)
const host = new ShellHost({ isolation: 'worker', hibernate: { store: directoryStore(path) } })
const sandbox = await host.getOrOpen('a', { shell: 'bash' })
for (let round = 0; round < 3; round += 1) {
  await sandbox.execute('x=1')
  await sandbox.hibernate()
  process.stdout.write(`${sandbox.status}\n`)
}
await sandbox.execute('x=2')
await host.drain({ hibernate: true })
process.stdout.write('drained\n')

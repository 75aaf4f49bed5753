import { setImmediate } from 'node:timers/promises'
import { SandboxError, ShellHost } from '../../../../src/index.ts'
import { ownCells } from './cells-of.ts'

// Calls a cell that closes its pipe on SIGUSR2, once the host has seen the pipe close.
const [cellUrl = ''] = process.argv.slice(2)
const host = new ShellHost({ isolation: 'process', maxCells: 1, cellUrl: new URL(cellUrl) })
const sandbox = await host.open()
for (const pid of ownCells()) process.kill(pid, 'SIGUSR2')
while (host.stats().leased > 0) await setImmediate()
try {
  await sandbox.execute('echo a')
  console.log('no loss')
} catch (error) {
  console.log(error instanceof SandboxError ? error.code : error)
}

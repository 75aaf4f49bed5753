import { setImmediate } from 'node:timers/promises'
import { SandboxError, ShellHost } from '../../../../src/index.ts'
import { ownCells } from './cells-of.ts'

// Calls a cell that closes its pipe on SIGUSR2: before, or once the host has seen the pipe close.
const [cellUrl = '', when = 'after'] = process.argv.slice(2)
const host = new ShellHost({ isolation: 'process', maxCells: 1, cellUrl: new URL(cellUrl) })
const sandbox = await host.open()
const strike = () => {
  for (const pid of ownCells()) process.kill(pid, 'SIGUSR2')
}
try {
  if (when === 'before') {
    const call = sandbox.execute('sleep 20')
    while (host.stats().running === 0) await setImmediate()
    strike()
    await call
  }
  strike()
  while (host.stats().leased > 0) await setImmediate()
  await sandbox.execute('echo a')
  console.log('no loss')
} catch (error) {
  console.log(error instanceof SandboxError ? error.code : error)
}

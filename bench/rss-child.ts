// Prints the resident memory of one idle sandbox among many, in MiB. A process of its own, so that nothing else counts.
import { setTimeout as sleep } from 'node:timers/promises'
import { ShellHost, StrandsShellSandbox } from '../src/index.ts'

const count = Number(process.argv[2])
await using host = new ShellHost({ isolation: 'worker', maxIdleWorkers: 0 })
const open: StrandsShellSandbox[] = []

async function openMore(total: number): Promise<number> {
  while (open.length < total) {
    const sandbox = await StrandsShellSandbox.open({}, { host })
    await sandbox.execute('echo hi')
    open.push(sandbox)
  }
  await sleep(500)
  return process.memoryUsage.rss()
}

const before = await openMore(5)
console.log((((await openMore(5 + count)) - before) / count / 2 ** 20).toFixed(3))

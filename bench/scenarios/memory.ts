import { setTimeout as sleep } from 'node:timers/promises'
import { ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import type { Scenario } from '../scenario.ts'

/** Resident memory of an idle sandbox that has run one command. */
export const memory: Scenario = {
  name: 'memory',
  run: async (effort) => {
    await using host = new ShellHost({ maxIdleWorkers: 0 })
    await openSandbox(host)
    const count = Math.max(10, Math.ceil(40 * effort))
    const before = process.memoryUsage.rss()
    const sandboxes: StrandsShellSandbox[] = []
    for (let index = 0; index < count; index++) sandboxes.push(await openSandbox(host))
    await sleep(500)
    const each = (process.memoryUsage.rss() - before) / count / 2 ** 20
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    return [{ name: 'RSS of an idle sandbox', ours: each, unit: 'MiB', judged: each, target: { most: 9 } }]
  },
}

async function openSandbox(host: ShellHost): Promise<StrandsShellSandbox> {
  const sandbox = await StrandsShellSandbox.open({}, { host })
  await sandbox.execute('echo hi')
  return sandbox
}

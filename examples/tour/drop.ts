import { setImmediate } from 'node:timers/promises'
import { ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import type { Claims } from './claims.ts'
import { chapter } from './terminal.ts'

const patience = 6000
const garbage = 1024 * 1024

/** Drops a sandbox without closing it, and waits for its worker to go. */
export async function dropSandbox(claims: Claims): Promise<void> {
  chapter(
    'A forgotten sandbox',
    'close() is the way to end one. Where nobody does, its worker ends when the sandbox is collected.',
  )
  await using host = new ShellHost({ isolation: 'worker' })
  await openAndForget(host)
  const { workers } = host.stats()
  console.log(`  a sandbox was opened, used and dropped: ${workers} worker`)
  const time = await untilGone(host)
  if (time === undefined) {
    console.log(
      `  its worker is still there after ${patience / 1000} s: V8 has not collected the sandbox yet`,
    )
  } else {
    console.log(`  its worker went after ${time.toFixed(0)} ms: ${host.stats().workers} workers`)
  }
  claims.check('the worker of the dropped sandbox is gone', workers === 1 && time !== undefined)
}

async function openAndForget(host: ShellHost): Promise<void> {
  const sandbox = await StrandsShellSandbox.open({}, { host })
  await sandbox.execute('echo working > /tmp/file')
}

/** Makes garbage until the host has no worker: V8 collects when there is something to collect. */
async function untilGone(host: ShellHost): Promise<number | undefined> {
  const start = performance.now()
  while (host.stats().workers > 0) {
    if (performance.now() - start > patience) return undefined
    for (let made = 0; made < 16; made++) new Uint8Array(garbage).fill(1)
    await setImmediate()
  }
  return performance.now() - start
}

import { setImmediate } from 'node:timers/promises'
import { ShellHost } from 'strands-shell-runtime'
import type { Claims } from './claims.ts'
import { chapter } from './terminal.ts'

const patience = 6000
const garbage = 1024 * 1024

/** Drops a sandbox without closing it, and waits until the host has its place back. */
export async function dropSandbox(claims: Claims): Promise<void> {
  chapter(
    'A forgotten sandbox',
    'Call close() to end a sandbox. Without it, the host gets the place back when the sandbox is garbage-collected.',
  )
  await using host = new ShellHost()
  await openAndForget(host)
  const { open } = host.stats()
  console.log(`  a sandbox was opened, used and dropped: ${open} open`)
  const time = await untilGone(host)
  if (time === undefined) {
    console.log(`  it still has its place after ${patience / 1000} s: V8 has not collected the sandbox yet`)
  } else {
    console.log(`  the host got its place back after ${time.toFixed(0)} ms: ${host.stats().open} open`)
  }
  claims.check('the dropped sandbox has no place any more', open === 1 && time !== undefined)
}

async function openAndForget(host: ShellHost): Promise<void> {
  const sandbox = await host.open()
  await sandbox.execute('echo working > /tmp/file')
}

/** Makes garbage until the host has no open sandbox: V8 collects when memory fills. */
async function untilGone(host: ShellHost): Promise<number | undefined> {
  const start = performance.now()
  while (host.stats().open > 0) {
    if (performance.now() - start > patience) return undefined
    for (let made = 0; made < 16; made++) new Uint8Array(garbage).fill(1)
    await setImmediate()
  }
  return performance.now() - start
}

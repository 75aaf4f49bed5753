import { ShellHost } from 'strands-shell-runtime'
import type { Claims } from './claims.ts'
import { chapter } from './terminal.ts'

/** Drops a sandbox without closing it, and opens another one in its place. */
export async function dropSandbox(claims: Claims): Promise<void> {
  chapter(
    'A forgotten sandbox',
    'Call close() to end a sandbox. Without it, the host gets the place back when the sandbox is garbage-collected.',
  )
  await using host = new ShellHost({ maxSandboxes: 1, openTimeout: 30 })
  await openAndForget(host)
  const { open } = host.stats()
  console.log(`  a sandbox was opened, used and dropped: ${open} open, of 1 at most`)
  const start = performance.now()
  const next = await host.open().catch(() => undefined)
  const time = (performance.now() - start).toFixed(0)
  console.log(`  another one waited ${time} ms for its place: the host collects sandboxes while one waits`)
  claims.check('the dropped sandbox has no place any more', open === 1 && next !== undefined)
}

async function openAndForget(host: ShellHost): Promise<void> {
  const sandbox = await host.open()
  await sandbox.execute('echo working > /tmp/file')
}

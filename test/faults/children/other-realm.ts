import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SandboxError, ShellHost } from '../../../src/index.ts'

/** What a service does with sandboxes, for a context whose intrinsics are not those of Node's modules. */
const outcomes: Record<string, unknown> = {}
for (const isolation of ['worker', 'shared', 'process'] as const) {
  for (const shell of ['strands', 'bash'] as const) {
    outcomes[`${isolation} ${shell}`] = await work(isolation, shell).catch((error: unknown) => String(error))
  }
}
process.stdout.write(JSON.stringify(outcomes))

async function work(isolation: 'worker' | 'shared' | 'process', shell: 'strands' | 'bash'): Promise<unknown> {
  const source = mkdtempSync(join(tmpdir(), 'other-realm-'))
  const host = new ShellHost({ isolation })
  try {
    const sandbox = await host.open({
      shell,
      files: { '/tmp/begun': new Uint8Array([97]) },
      binds: [{ source, destination: '/work', mode: 'direct' }],
    })
    const facts: unknown[] = []
    const tell = async (call: () => Promise<unknown>) => {
      facts.push(
        await call().catch((error: unknown) => (error instanceof SandboxError ? error.code : String(error))),
      )
    }
    await tell(async () => (await sandbox.execute('cat /tmp/begun; echo b > /work/b')).stdout)
    await tell(async () => readFileSync(join(source, 'b'), 'utf8'))
    await tell(async () => sandbox.writeFile('/tmp/c', new Uint8Array([99])))
    await tell(async () => [...(await sandbox.readFile('/tmp/c'))])
    await tell(() => sandbox.readFile('/tmp/missing'))
    await tell(() => sandbox.execute('sleep 2.5', { timeout: 0.1 }))
    await tell(() => sandbox.execute('true', { signal: AbortSignal.abort() }))
    await tell(async () => (await sandbox.execute('cat', { stdin: new Uint8Array([100]) })).stdout)
    await tell(async () => (await sandbox.changes()).changes.map(({ path }) => path))
    await tell(() => host.open({ shell, binds: [{ source: '/nowhere', destination: '/x', mode: 'copy' }] }))
    await tell(async () => sandbox.sync.execute('echo e').stdout)
    return facts
  } finally {
    await host.close()
    rmSync(source, { recursive: true })
  }
}

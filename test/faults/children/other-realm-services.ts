import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryStore, SandboxError, ShellHost } from '../../../src/index.ts'
import { RemoteSandbox } from '../../../src/remote/index.ts'
import { serve } from '../../../src/service/index.ts'

/** What keeps, shares and jails sessions, for a context whose intrinsics are not those of Node's modules. */
const [redis = '', hasJails] = process.argv.slice(-2)
const directory = mkdtempSync(join(tmpdir(), 'other-realm-'))
const token = 'a-token-of-these-tests'
const tokens = [{ token, name: 'tester' }]
const hostOptions = { isolation: 'shared' } as const

async function jailed(): Promise<unknown> {
  const host = new ShellHost(hostOptions)
  try {
    const sandbox = await host.open({ shell: 'jail' })
    await sandbox.writeFile('/tmp/a', new Uint8Array([97]))
    const late = sandbox.execute('sleep 100', { timeout: 0.1 }).catch((error: unknown) => codeOf(error))
    return [await late, (await sandbox.execute('cat /tmp/a')).stdout]
  } finally {
    await host.close()
  }
}

async function hibernated(): Promise<unknown> {
  const host = new ShellHost({
    ...hostOptions,
    hibernate: { store: directoryStore(join(directory, 'store')) },
  })
  try {
    const sandbox = await host.getOrOpen('a', { shell: 'bash' })
    await sandbox.execute('X=kept; echo file > /tmp/a')
    await sandbox.hibernate()
    const snapshot = await sandbox.snapshot()
    const other = await host.open({ shell: 'bash' }, { snapshot })
    return [(await sandbox.execute('echo $X')).stdout, (await other.execute('cat /tmp/a')).stdout]
  } finally {
    await host.close()
  }
}

async function served(): Promise<unknown> {
  const service = await serve({ tokens, templates: { bash: { shell: 'bash' } } })
  try {
    const sandbox = await RemoteSandbox.open({ id: 'a', template: 'bash' }, { url: service.url, token })
    await sandbox.writeFile('/tmp/a', new Uint8Array([97]))
    const missing = sandbox.readFile('/tmp/b').catch((error: unknown) => codeOf(error))
    return [(await sandbox.execute('cat /tmp/a')).stdout, await missing]
  } finally {
    await service.close({ grace: 0 })
  }
}

async function clustered(): Promise<unknown> {
  const { ClusterClient, clusterNode } = await import('../../../src/cluster/index.ts')
  const shared = { redis, cluster: 'other-realm' }
  const nodes = await Promise.all(
    [1, 2].map(() =>
      clusterNode({ ...shared, data: join(directory, 'data'), tokens, lease: 10, grace: 5, hostOptions }),
    ),
  )
  const client = await ClusterClient.connect({ ...shared, token, patience: 60 })
  try {
    const sandbox = await client.getOrOpen('a')
    await sandbox.execute('x=kept')
    await client.move('a')
    return (await sandbox.execute('echo $x')).stdout
  } finally {
    await client.close()
    await Promise.all(nodes.map((node) => node.close()))
  }
}

function codeOf(error: unknown): string {
  return error instanceof SandboxError ? error.code : `raw ${String(error)}`
}

const outcomes = {
  hibernated: await hibernated().catch(codeOf),
  served: await served().catch(codeOf),
  ...(redis === '' ? {} : { clustered: await clustered().catch(codeOf) }),
  ...(hasJails === 'jails' ? { jailed: await jailed().catch(codeOf) } : {}),
}
rmSync(directory, { recursive: true, force: true })
process.stdout.write(JSON.stringify(outcomes))
process.exit()

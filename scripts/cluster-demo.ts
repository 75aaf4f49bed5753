// Starts Redis and three nodes of a cluster, opens sessions, kills the node of one, and shows that the session goes on. Ends at Ctrl-C.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ClusterClient } from '../src/cluster/index.ts'

const program = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url))
const data = await mkdtemp(join(tmpdir(), 'cluster-demo-'))
const token = 'the-token-of-the-demo'
/** Of the Redis of the demo. */
const port = 17_399
const redis = `redis://127.0.0.1:${port}`
const children: ChildProcess[] = []
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  children.push(
    spawn('redis-server', ['--port', String(port), '--save', '', '--dir', data], { stdio: 'ignore' }),
  )
  const nodes = new Map<string, ChildProcess>()
  for (const node of await Promise.all([startNode(), startNode(), startNode()])) {
    children.push(node.child)
    nodes.set(node.url, node.child)
    say(`A node serves at ${node.url}`)
  }
  const cluster = await ClusterClient.connect({ redis, token })
  const ids = ['agent-1', 'agent-2', 'agent-3']
  const sandboxes = await Promise.all(ids.map((id) => cluster.getOrOpen(id)))
  await Promise.all(sandboxes.map((sandbox, at) => sandbox.execute(`echo "the work of ${ids[at]}" > file`)))
  const urls = new Map<string, string>()
  for await (const { id, owner } of cluster.list()) {
    urls.set(id, owner?.url ?? '')
    say(`${id} is at ${owner?.url}`)
  }
  const killed = urls.get('agent-1') ?? ''
  const child = nodes.get(killed)
  child?.kill('SIGKILL')
  if (child !== undefined) await ended(child)
  say(`The node at ${killed} is killed.`)
  const start = performance.now()
  const { stdout } = (await sandboxes[0]?.execute('cat file')) ?? { stdout: '' }
  say(`agent-1 says after ${((performance.now() - start) / 1000).toFixed(1)} s: ${stdout.trim()}`)
  for await (const { id, owner } of cluster.list()) say(`${id} is at ${owner?.url}`)
  await cluster.close()
  const left = [...nodes.keys()].filter((url) => url !== killed)
  for (const url of left) say(`The page of a node: ${url}/ (token: ${token})`)
  if (process.argv.includes('--once')) process.exitCode = 0
  else await once(process, 'SIGINT')
} finally {
  const [server, ...services] = children
  for (const child of services) child.kill('SIGTERM')
  await Promise.all(services.map(ended))
  server?.kill('SIGKILL')
  await rm(data, { recursive: true, force: true })
}

async function startNode(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--data', join(data, 'shared'), '--cluster', redis],
    {
      env: { ...process.env, STRANDS_SHELL_SERVE_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Serving at (\S+)/.exec(line) ?? []
    if (url !== undefined) return { child, url }
  }
  throw new Error('A node has ended before it listened.')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

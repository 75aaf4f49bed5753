// A service and a node of a cluster, and calls of their sandboxes, each in a process of its own. `serve SHELL DATA` and
// `node SHELL DATA REDIS` serve until their input ends, and print the address; `measure SHELL EFFORT` starts both, and prints figures.
import { clusterNode } from '../src/cluster/index.ts'
import { type Service, serve } from '../src/service/index.ts'
import { measureCluster, token } from './cluster/measure-cluster.ts'

const [what = '', shell = '', where = '', redis = ''] = process.argv.slice(2)

if (what === 'measure') {
  process.stdout.write(JSON.stringify(await measureCluster(shell, Number(where))))
  process.exit()
}
const engine = shell === 'bash' ? 'bash' : 'strands'
const options = {
  tokens: [{ token, name: 'bench' }],
  templates: {
    default: { shell: engine, checkpoint: 'call' },
    never: { shell: engine, checkpoint: 'never' },
  },
  maxPendingRequests: 1000,
  data: where,
} as const
// Without jobs, what Redis has to do is leases and sessions.
const service: Service =
  what === 'node' ? await clusterNode({ ...options, redis, jobConcurrency: 0 }) : await serve(options)
process.stdout.write(`${service.url}\n`)
process.stdin.resume().once('end', async () => {
  await service.close({ grace: 10 })
  process.exit()
})

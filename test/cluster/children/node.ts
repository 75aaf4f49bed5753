// A node of a cluster in a process of its own: its options are the JSON of the first argument, the second one is the file of its audit
// log. Prints its instance and its address.
import { auditLog } from '../../../src/audit/audit-log.ts'
import { clusterNode } from '../../../src/cluster/index.ts'

const [, , json = '{}', file] = process.argv
const { hostOptions, ...options } = JSON.parse(json)
const audit = file === undefined ? undefined : auditLog({ file })
const node = await clusterNode({
  ...options,
  hostOptions: { ...hostOptions, audit },
  log: (line: string) => process.stderr.write(`${line}\n`),
})
process.stdout.write(`${JSON.stringify({ instance: node.instance, url: node.url })}\n`)
process.once('SIGTERM', async () => {
  await node.close()
  await audit?.close()
})

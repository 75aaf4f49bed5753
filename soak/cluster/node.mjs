// A node of the chaos in a process of its own: its options are the JSON of the first argument, the second one is the file of its audit
// log. Prints its address.
const { auditLog } = await import(new URL('../../dist/src/index.js', import.meta.url))
const { clusterNode } = await import(new URL('../../dist/src/cluster/index.js', import.meta.url))

const [, , json, file] = process.argv
const { isolation, ...options } = JSON.parse(json)
const node = await clusterNode({
  ...options,
  hostOptions: { isolation, maxSandboxes: 400, audit: auditLog({ file }) },
})
process.stdout.write(`${node.url}\n`)

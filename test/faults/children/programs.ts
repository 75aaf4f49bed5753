import { closeSync, openSync } from 'node:fs'
import { type ExecutionResult, ShellHost } from '../../../src/index.ts'

/** Programs of a bash session are loaded at their first use: without a descriptor, and once there are some. */
const host = new ShellHost({ isolation: 'worker' })
const sandbox = await host.open({ shell: 'bash' })
await sandbox.execute('true')

function told({ exitCode, stdout, stderr }: ExecutionResult): unknown {
  return [exitCode, stdout, stderr]
}

const run = async () => [
  told(await sandbox.execute('base64 <<< abc')),
  told(await sandbox.execute('strings <<< abcd || :')),
]

const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // There are no more.
}
const without = await run()
for (const descriptor of taken) closeSync(descriptor)
const afterwards = await run()
await host.close()
console.log(JSON.stringify({ without, afterwards }))

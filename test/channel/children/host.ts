import { once } from 'node:events'
import { echo, startCell } from '../helpers.ts'

// A host process that has done its work: it must end by itself, and stay while it waits for a reply.

const [, , scene = '', script] = process.argv
const cell = await startCell(script)
cell.child.unref()
const port = cell.open()
const scenes: Readonly<Record<string, () => Promise<void>>> = {
  'open lanes': async () => {
    await echo(port, 'warm')
    port.unref()
    console.log('end')
  },
  'a pending reply': async () => {
    console.log(await echo(port, 'reply'))
    port.unref()
  },
  'a lost cell': async () => {
    cell.child.kill('SIGKILL')
    port.ref()
    await once(port, 'close')
    console.log('end')
  },
}
await scenes[scene]?.()

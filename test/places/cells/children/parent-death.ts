import { ShellHost } from '../../../../src/index.ts'
import { ownCells } from './cells-of.ts'

const endless = 'cat /dev/zero >/dev/null'

/** What the cells of a host do as it goes. */
const states: Readonly<Record<string, (host: ShellHost) => Promise<unknown>>> = {
  'has just been started': async (host) => {
    host.open().catch(() => undefined)
    while (ownCells().length === 0) await new Promise(setImmediate)
  },
  'is idle': async (host) => {
    await Promise.all([host.open(), host.open()])
  },
  'runs what never ends': async (host) => {
    const sandboxes = await Promise.all([host.open(), host.open(), host.open()])
    for (const sandbox of sandboxes) sandbox.execute(endless).catch(() => undefined)
    await Promise.allSettled(sandboxes.map((sandbox) => sandbox.execute('true', { timeout: 0.3 })))
  },
  'has more to say than the pipe holds': async (host) => {
    const sandboxes = await Promise.all([host.open(), host.open()])
    await Promise.all(sandboxes.map((sandbox) => sandbox.writeFile('/tmp/large', new Uint8Array(8_000_000))))
    for (const sandbox of sandboxes) {
      for (let read = 0; read < 5; read++) sandbox.readFile('/tmp/large').catch(() => undefined)
    }
    // This process reads nothing meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  },
}

/** How it goes. */
const ways: Readonly<Record<string, () => void>> = {
  SIGKILL: () => process.kill(process.pid, 'SIGKILL'),
  SIGTERM: () => process.kill(process.pid, 'SIGTERM'),
  'process.exit': () => process.exit(3),
  'an uncaught exception': () => {
    throw new Error('a bug of the host')
  },
}

const [state = '', way = ''] = process.argv.slice(2)
const host = new ShellHost({ maxCells: 2, sandboxesPerCell: 2 })
await states[state]?.(host)
console.log(JSON.stringify(ownCells()))
ways[way]?.()

// record.ts FILE HOW: writes commands of three sandboxes into a log, until something ends this process.
import { auditLog, ShellHost } from '../../../src/index.ts'
import { command } from '../event.ts'

const [file = '', how = ''] = process.argv.slice(2)
const audit = auditLog({ file, maxBytes: 64 * 1024, keep: 1000, events: 'all' })
let made = 0

function recordSome(count: number): void {
  for (let index = 0; index < count; index++) {
    made += 1
    audit.record(
      command(`echo ${'x'.repeat(made % 900)}`, { sandbox: made % 3, sequence: Math.floor(made / 3) }),
    )
  }
}

const ways: Readonly<Record<string, () => unknown>> = {
  /** Until somebody kills it. */
  endless: async () => {
    recordSome(200)
    await audit.flush()
    console.log('begun')
    setInterval(() => recordSome(40), 1)
  },
  /** Nothing else keeps it alive. */
  'at once': () => recordSome(1000),
  /** A write is under way. */
  'process.exit': () => {
    recordSome(1000)
    void audit.flush()
    setImmediate(() => {
      recordSome(1000)
      process.exit(0)
    })
  },
  'an exception': () => {
    recordSome(1000)
    setTimeout(() => {
      recordSome(10)
      throw new Error('as the test says')
    }, 60)
  },
  /** A host ends with the process. */
  host: async () => {
    const host = new ShellHost({ isolation: 'worker', audit })
    const sandbox = await host.open()
    for (let index = 0; index < 20; index++) await sandbox.execute('true')
    await sandbox.close()
    await host.close()
    console.log(audit.stats().written)
  },
}
await ways[how]?.()

// MiB of resident memory of each of 100 shells of the engine that have run a text, and `echo a`.
import { createRequire } from 'node:module'
import { residentMemory } from './resident.ts'

interface Addon {
  readonly ShellBuilder: new () => { build(): Promise<{ run(command: string): Promise<unknown> }> }
}

const [addon = '', beginning = ''] = process.argv.slice(2)
const { ShellBuilder }: Addon = createRequire(import.meta.url)(addon)
const shells: unknown[] = []

await open(20)
const before = residentMemory()
await open(100)
console.log((residentMemory() - before) / 100)
process.exit(0)

async function open(count: number): Promise<void> {
  for (let opened = 0; opened < count; opened++) {
    const shell = await new ShellBuilder().build()
    await shell.run(beginning)
    await shell.run('echo a')
    shells.push(shell)
  }
}

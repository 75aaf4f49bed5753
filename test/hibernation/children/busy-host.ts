import { directoryStore, ShellHost } from '../../../src/index.ts'

// Uses named sandboxes until it is killed. Says of each how far its checkpoint in the store is, at least.
const [path = '', first = ''] = process.argv.slice(2)
const host = new ShellHost({
  isolation: 'shared',
  maxSandboxes: 3,
  hibernate: { store: directoryStore(path), after: 0.05 },
})

async function use(id: string): Promise<never> {
  const sandbox = await host.getOrOpen(id, { shell: 'bash' })
  for (let number = Number(first); ; number += 1) {
    await sandbox.execute(
      `for i in 1 2 3 4; do echo ${number} > f$i; done; x=${number}; f() { echo ${number}; }`,
    )
    if (number % 2 === 0) continue
    await sandbox.checkpoint()
    process.stdout.write(`${id} ${number}\n`)
  }
}

await Promise.all(['a', 'b', 'c', 'd'].map(use))

// Native calls made at once on one shell, and how many of them ran, and settled, out of turn.
import { createRequire } from 'node:module'

interface Addon {
  readonly ShellBuilder: new () => {
    build(): Promise<{ run(command: string): Promise<{ readonly stdout: string }> }>
  }
}

const [addon = '', ...numbers] = process.argv.slice(2)
const [shells = 0, depth = 0, calls = 0] = numbers.map(Number)
const { ShellBuilder }: Addon = createRequire(import.meta.url)(addon)
let ran = 0
let settled = 0

async function work(): Promise<void> {
  const shell = await new ShellBuilder().build()
  await shell.run('i=0')
  let made = 0
  let ended = 0
  const lane = async () => {
    while (made < calls) {
      made += 1
      const turn = made
      const { stdout } = await shell.run('i=$((i + 1)); echo $i')
      ended += 1
      if (Number(stdout) !== turn) ran += 1
      if (ended !== turn) settled += 1
    }
  }
  await Promise.all(Array.from({ length: depth }, lane))
}

await Promise.all(Array.from({ length: shells }, work))
process.stdout.write(JSON.stringify({ ran, settled }))
// The addon's threads would keep the process for a while.
process.exit(0)

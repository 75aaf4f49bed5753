// A process whose limit of open files is lowered while it has a cell: prints how openings go, then and afterwards.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { SandboxError, ShellHost } from '../../../src/index.ts'
import { codesOf } from '../matrix/system-faults.ts'

const left = Number(process.argv[2])
const host = new ShellHost({ isolation: 'process', hardening: 'none', sandboxesPerCell: 1, maxCells: 4 })

async function open(): Promise<string> {
  try {
    await host.open()
    return 'open'
  } catch (error) {
    return error instanceof SandboxError ? codesOf(error) : String(error)
  }
}

function setLimit(most: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${most}:`])
}

const before = await open()
const [, limit = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
setLimit(String(Math.max(...readdirSync('/proc/self/fd').map(Number)) + 64))
const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // There are no more.
}
for (const fd of taken.splice(0, left)) closeSync(fd)
const short = await Promise.all([open(), open()])
for (const fd of taken) closeSync(fd)
setLimit(limit)
console.log(JSON.stringify({ before, short, afterwards: await open() }))
await host.close()

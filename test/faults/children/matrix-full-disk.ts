import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Isolation, ShellHost } from '../../../src/index.ts'
import { matrixEngines } from '../matrix/engines.ts'
import { cacheFills } from '../matrix/faults.ts'
import { runGroup } from '../matrix/run-group.ts'
import { wordOf } from '../matrix/stage.ts'

/** The cache of the engine is on a file system that is too small for it, later full. */
const [mount = '', directory = ''] = process.argv.slice(2)
const levels: readonly Isolation[] = ['worker', 'shared', 'process']

/** How opening went for one that has a place, and one that waits for it. */
async function openTwo(isolation: Isolation): Promise<readonly string[]> {
  await using host = new ShellHost({ isolation, maxSandboxes: 1 })
  return await Promise.all([wordOf(host.open()), wordOf(host.open())])
}

/** Leaves no byte free. */
function fill(): void {
  const rest = Buffer.alloc(2 ** 20)
  for (let size = rest.length; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (let file = 0; ; file++) writeFileSync(join(mount, `${size}-${file}`), rest.subarray(0, size))
    } catch {
      // Full, or too full for files of this size.
    }
  }
}

const opened = []
for (const level of levels) opened.push(await openTwo(level))
execFileSync('mount', ['-o', 'remount,size=64m', mount])
const groups = []
for (const level of levels) {
  groups.push(
    await runGroup(matrixEngines.strands, cacheFills(fill), level, mkdtempSync(join(directory, 'stage-'))),
  )
}
console.log(JSON.stringify({ opened, groups }))

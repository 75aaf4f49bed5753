import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { program } from '../../fixtures/program.ts'
import { noJails } from '../../support/jail.ts'
import { byTier, isFull } from '../../support/tier.ts'
import { type FileSystemFault, fileSystemFaults, type Struck } from './system-faults.ts'

const everywhere: readonly Struck[] = (['worker', 'shared', 'process'] as const).flatMap((level) =>
  (['bash', 'strands'] as const).map((shell): Struck => [level, shell]),
)
/** The sandboxes of each process. A jail has one of its own: some faults are not there while it is. */
const all: readonly (readonly Struck[])[] = [
  byTier({ default: everywhere.filter((_, index) => index === 0 || index === 5), full: everywhere }),
  ...(noJails === undefined ? [[['shared', 'jail'] as const]] : []),
]
const alone = ['unshare', '--mount', '--propagation', 'private'] as const

/** Whether a process may have mounts of its own. */
function mayMount(): boolean {
  const [command, ...options] = alone
  try {
    execFileSync(command, [...options, 'mount', '-t', 'tmpfs', 'tmpfs', '/proc'], { stdio: 'ignore' })
    return true
  } catch {
    return false // Not root, a container that may not mount, or no such program.
  }
}

describe.concurrent('a process whose files', { skip: !mayMount() }, () => {
  it.for(
    (Object.keys(fileSystemFaults) as FileSystemFault[]).flatMap((fault) =>
      all
        .filter((struck) => isFull || fault === 'full' || struck[0]?.[1] !== 'jail')
        .map((struck) => [fault, struck] as const),
    ),
  )(
    'are on a system that refuses something is told so, keeps its sandboxes, and works later: %s, %j',
    async ([fault, struck], { onTestFinished }) => {
      const directory = mkdtempSync(join(tmpdir(), 'system-'))
      onTestFinished(() => rmSync(directory, { recursive: true }))
      const [command, ...options] = alone
      const child = [process.execPath, program('test/faults/children/system.ts')]
      const { stdout, stderr } = await promisify(execFile)(
        command,
        [...options, ...child, fault, directory, JSON.stringify(struck)],
        { timeout: 100_000 },
      )
      expect(stderr).toBe('')
      const { words } = fileSystemFaults[fault]
      expect(JSON.parse(stdout)).toEqual(
        struck.map(([, shell]) => ({ ...words[shell], first: words[shell].open })),
      )
    },
  )
})

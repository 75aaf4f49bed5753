import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type BindConfig, MirrorError, StrandsShellSandbox } from '../../src/index.ts'
import { byTier } from '../support/tier.ts'
import { contentsOf, traceOf } from '../worker/host-files/scratch.ts'
import { holdPoint } from './mirror-progress.ts'

interface Place {
  readonly bound: string
  readonly outside: string
  readonly sandbox: StrandsShellSandbox
}

/** A bind with a directory `d`, and one beside it that no sandbox may change. */
function place(...binds: BindConfig[]): Place {
  const root = mkdtempSync(join(tmpdir(), 'mirror-races-'))
  const bound = `${root}/bound`
  const outside = `${root}/outside`
  for (const [directory, text] of [
    [`${bound}/d`, 'in'],
    [outside, 'out'],
  ] as const) {
    mkdirSync(directory, { recursive: true })
    for (const name of ['changed', 'removed']) writeFileSync(`${directory}/${name}`, text)
  }
  const sandbox = new StrandsShellSandbox({ binds: [{ source: bound, destination: '/work' }, ...binds] })
  onTestFinished(async () => {
    await sandbox.close()
    // A program of the swapping loop may still be running.
    await vi.waitFor(() => rmSync(root, { recursive: true, force: true }), { timeout: 60_000 })
  })
  return { bound, outside, sandbox }
}

const change = "printf '%s' mine > /work/d/changed; rm /work/d/removed; printf '%s' new > /work/d/new"

it('writes nothing through a link that the host puts in the place of a directory during a call', async () => {
  const hold = holdPoint()
  const { bound, outside, sandbox } = place(hold.bind)
  await sandbox.open()
  const before = traceOf(outside)
  const call = sandbox.execute(`${change}; ${hold.command}`).catch((reason: unknown) => reason)
  await hold.reached()
  renameSync(`${bound}/d`, `${bound}/away`)
  symlinkSync('../outside', `${bound}/d`)
  hold.release()
  const error = await call
  expect(traceOf(outside)).toEqual(before)
  expect(error).toBeInstanceOf(MirrorError)
  const { written, pending } = error instanceof MirrorError ? error : { written: [], pending: [] }
  // Nothing is there any more to remove.
  expect(written).toEqual(['/work/d/removed'])
  expect(pending.map(({ path }) => path).sort()).toEqual(['/work/d/changed', '/work/d/new'])
  expect(contentsOf(`${bound}/away`)).toEqual({ changed: 'in', removed: 'in' })
  expect(readlinkSync(`${bound}/d`)).toBe('../outside')

  // Once the link is gone, what was pending is written.
  rmSync(`${bound}/d`)
  await sandbox.execute('true')
  expect(contentsOf(`${bound}/d`)).toEqual({ changed: 'mine', new: 'new' })
  expect(traceOf(outside)).toEqual(before)
})

it('never writes through a path that is a directory and a link in turn', async () => {
  const { bound, outside, sandbox } = place()
  await sandbox.open()
  const before = traceOf(outside)
  const loop = 'while :; do mv d away && ln -s ../outside d; rm -f d; rm -rf d; mv away d; done'
  const swapping = spawn('sh', ['-c', loop], { cwd: bound, stdio: 'ignore', detached: true })
  const ended = once(swapping, 'exit')
  try {
    for (let call = 0; call < byTier({ default: 50, full: 500 }); call++) {
      const text = `${change}; printf '%s' ${call} > /work/d/call`
      await sandbox.execute(text).catch((error: unknown) => {
        expect(error).toBeInstanceOf(MirrorError)
      })
      expect(traceOf(outside)).toEqual(before)
    }
  } finally {
    // The whole group: a program that the loop has started would go on.
    process.kill(-(swapping.pid ?? 0), 'SIGKILL')
    await ended
  }
  expect(contentsOf(outside)).toEqual({ changed: 'out', removed: 'out' })
})

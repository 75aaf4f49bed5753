import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MirrorError, StrandsShellSandbox } from '../../src/index.ts'
import { contentsOf, traceOf } from '../worker/engines/strands/mirror/host/scratch.ts'

interface Place {
  readonly bound: string
  readonly outside: string
  readonly sandbox: StrandsShellSandbox
}

/** A bind with a directory `d`, and one beside it that no sandbox may change. */
function place(): Place {
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
  const sandbox = new StrandsShellSandbox({ binds: [{ source: bound, destination: '/work' }] })
  onTestFinished(async () => {
    await sandbox.close()
    // The one who swaps directories may be at it a moment longer.
    await vi.waitFor(() => rmSync(root, { recursive: true, force: true }), { timeout: 20_000 })
  })
  return { bound, outside, sandbox }
}

const change = "printf '%s' mine > /work/d/changed; rm /work/d/removed; printf '%s' new > /work/d/new"

it('a directory that the host swaps for a link during a call is not left through the link', async () => {
  const { bound, outside, sandbox } = place()
  await sandbox.open()
  const before = traceOf(outside)
  const swap = spawn('sh', ['-c', 'sleep 0.15; mv d away; ln -s ../outside d'], { cwd: bound })
  const error: unknown = await sandbox.execute(`${change}; sleep 0.6`).catch((reason: unknown) => reason)
  expect(swap.exitCode).toBe(0)
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

it('a directory that is a link now and then is never written through', async () => {
  const { bound, outside, sandbox } = place()
  await sandbox.open()
  const before = traceOf(outside)
  const loop = 'while :; do mv d away && ln -s ../outside d; rm -f d; rm -rf d; mv away d; done'
  const swapping = spawn('sh', ['-c', loop], { cwd: bound, stdio: 'ignore', detached: true })
  const ended = once(swapping, 'exit')
  try {
    for (let call = 0; call < 150; call++) {
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
